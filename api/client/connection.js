// connection.js - requests to the service.  A request is sent again if it got no
// response, or one that says "later".  A change has one Idempotency-Key for all
// its attempts, so the service makes it once.
import { Problem } from "./problem.js";

/** @import { ClientOptions, Request } from "./types.js" */

const DEFAULTS = { retries: 6, timeout: 1e4, longest: 3e4, silence: 45e3 };

// Statuses that another attempt may change.
const PASSING = [429, 502, 503, 504];

export class Connection {
	#fetch;

	/** @param {string | URL} url @param {ClientOptions} options */
	constructor(url, { fetch = globalThis.fetch, ...options }) {
		this.url = `${url}`.replace(/\/+$/, "");
		this.#fetch = fetch;
		this.options = { ...DEFAULTS, ...options };
	}

	/** One attempt: the response, if it is no refusal. @param {string} path
	 * @param {RequestInit} init @param {string | undefined} token */
	async open(path, init, token) {
		const fetch = this.#fetch;
		const headers = new Headers(init.headers);
		if (token)
			headers.set("Authorization", `Bearer ${token}`);
		const response = await fetch(this.url + path, { ...init, headers });
		if (!response.ok)
			throw new Problem(response, await response.text());
		return response;
	}

	/**
	 * The body and the header fields of the response. @param {string} method
	 * @param {string} path @param {Request} [request]
	 * @returns {Promise<{ body: any, headers: Headers }>}
	 */
	async send(method, path, { token, body, key, signal, ...asked } = {}) {
		const headers = new Headers(asked.headers);
		if (body !== undefined)
			headers.set("Content-Type", "application/json");
		if (method !== "GET")
			headers.set("Idempotency-Key", key ?? await newKey());
		const text = body === undefined ? null : JSON.stringify(body);
		for (let failures = 0; ; failures++) {
			const limit = limited(signal, this.options.timeout);
			const init = { method, headers, body: text, signal: limit.signal };
			try {
				const response = await this.open(path, init, token);
				const told = await response.text() || "null";
				return { body: JSON.parse(told), headers: response.headers };
			} catch (error) {
				if (failures >= this.options.retries || signal?.aborted ||
				    !this.isPassing(error))
					throw error;
				await pause(this.delay(failures, error), signal);
			} finally {
				limit.end();
			}
		}
	}

	/** Whether another attempt is worthwhile. An error that is no Problem is one
	 * of the network. @param {unknown} error */
	isPassing(error) {
		return !(error instanceof Problem) ||
			(PASSING.includes(error.status) &&
			1000 * error.retryAfter <= this.options.longest);
	}

	/** Milliseconds until the next attempt: more after each failure, by chance,
	 * and no less than the service asks for. @param {number} failures so far
	 * @param {unknown} error the last @param {number} [first] milliseconds */
	delay(failures, error, first = 500) {
		const { delay = first, longest } = this.options;
		const asked = error instanceof Problem ? error.retryAfter * 1000 : 0;
		const grown = Math.min(longest, delay * 2 ** failures);
		return asked + grown * (0.5 + Math.random() / 2);
	}
}

/**
 * A signal that aborts with another one, or after so many milliseconds; rest()
 * stops counting them, wind() begins anew.
 * @param {AbortSignal | undefined} signal @param {number} ms
 */
export function limited(signal, ms) {
	const stop = new AbortController();
	const abort = () => stop.abort(signal?.reason);
	const late = () => stop.abort(new Error(`nothing came for ${ms} ms`));
	let timer = setTimeout(late, ms);
	const rest = () => clearTimeout(timer);
	const wind = () => {
		rest();
		timer = setTimeout(late, ms);
	};
	const end = () => {
		rest();
		stop.abort();
	};
	signal?.addEventListener("abort", abort, { signal: stop.signal });
	if (signal?.aborted)
		abort();
	return { signal: stop.signal, rest, wind, end };
}

/** Ends early if the signal aborts.
 * @param {number} ms @param {AbortSignal | undefined} signal */
export async function pause(ms, signal) {
	const limit = limited(signal, ms);
	if (!limit.signal.aborted)
		await new Promise((wake) => limit.signal.onabort = wake);
	limit.end();
}

/** 32 characters that nobody can guess. */
async function newKey() {
	// Node 18 has no global crypto.  Bundlers for pages leave this import alone.
	const builtin = "node:crypto";
	const { webcrypto } = globalThis.crypto ? { webcrypto: globalThis.crypto } :
		await import(/* webpackIgnore: true */ /* @vite-ignore */ builtin);
	const bytes = [...webcrypto.getRandomValues(new Uint8Array(16))];
	return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
