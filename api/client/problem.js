// problem.js - a refusal of the service, as an error that programs can read.
/** @import { Code, ProblemDocument } from "./types.js" */

/**
 * A response with a status of 400 or above.  `code` is for programs and never
 * changes, `detail` is for people, and `members` has the whole document: `now`
 * of a 409, `errors` of an `invalid`, `rematch` of an `already_used`.
 */
export class Problem extends Error {
	/** @param {Response} response @param {string} text its body */
	constructor(response, text) {
		const members = documentOf(response, text);
		const faults = members.errors?.map(({ detail }) => detail) ?? [];
		super([`${members.status} ${members.code}: ${members.detail}`, ...faults]
			.join(" "));
		this.name = "Problem";
		this.members = members;
		/** @type {Code} */
		this.code = members.code;
		this.status = members.status;
		this.title = members.title;
		this.detail = members.detail;
		/** Seconds after which a retry is worthwhile, or 0. */
		this.retryAfter = Number(response.headers.get("Retry-After")) || 0;
	}
}

/** @param {Response} response @param {string} text @returns {ProblemDocument} */
function documentOf({ status, statusText: title, headers }, text) {
	const detail = text.slice(0, 200);
	const code = "foreign_response";
	const type = headers.get("Content-Type") ?? "";
	return type.startsWith("application/problem+json") ? JSON.parse(text) :
		{ type: "about:blank", instance: "", status, title, detail, code };
}
