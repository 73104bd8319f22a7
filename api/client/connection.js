// connection.js - requests to the service.  A request is sent again if it got no
// response, or one that says "later".  A change has one Idempotency-Key for all
// its attempts, so the service makes it once.
import { Problem } from "./problem.js";
import { onWake } from "./waking.js";

/** @import { ClientOptions, Request } from "./types.js" */

const DEFAULTS = { retries: 6, timeout: 1e4, longest: 3e4, opening: 8e3,
	silence: 25e3 };
// The first attempt may have met a connection that is dead: it is given up sooner, and
// much sooner after a wake-up, when all may be dead that the browser keeps.
const FIRST = 4000;
export const HASTE = 800;
// An attempt so old may be dead when the page wakes up.
export const OLD_ATTEMPT = 500;

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

	/** One attempt: the response, unless it is a refusal, which 304 is not. @param {string} path
	 * @param {RequestInit} init @param {string | undefined} token */
	async open(path, init, token) {
		const fetch = this.#fetch;
		const headers = new Headers(init.headers);
		if (token)
			headers.set("Authorization", `Bearer ${token}`);
		const response = await fetch(this.url + path, { ...init, headers });
		if (!response.ok && response.status !== 304)
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
		let patience = FIRST;
		for (let failures = 0; ;) {
			const limit = limited(signal,
				Math.min(this.options.timeout, patience));
			let is_woken = false;
			const deaf = onWake((moment) => {
				is_woken = moment !== "offline" && limit.age() > OLD_ATTEMPT;
				if (is_woken)
					limit.cut(new Error("another attempt is due"));
			});
			const init = { method, headers, body: text, signal: limit.signal };
			try {
				const response = await this.open(path, init, token);
				const told = await response.text() || "null";
				return { body: JSON.parse(told), headers: response.headers };
			} catch (error) {
				const is_hasty = is_woken || (limit.isLate() && patience < FIRST);
				if (signal?.aborted || !this.isPassing(error) ||
				    (!is_hasty && failures >= this.options.retries))
					throw error;
				patience *= 2;
				if (is_woken ||
				    (!is_hasty && await pause(this.delay(failures++, error), signal)))
					patience = HASTE;
			} finally {
				deaf();
				limit.end();
			}
		}
	}

	/** Whether another attempt is worthwhile. An error other than a Problem is one
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
 * A signal that aborts with another signal, or after this many milliseconds; rest()
 * stops counting them, wind() restarts, cut() aborts at once.  age() is the time
 * since it began, and isLate() whether the time was over.
 * @param {AbortSignal | undefined} signal @param {number} ms
 */
export function limited(signal, ms) {
	const stop = new AbortController();
	const abort = () => stop.abort(signal?.reason);
	let is_late = false;
	const late = () => {
		is_late = true;
		stop.abort(new Error(`nothing came for ${ms} ms`));
	};
	let timer = setTimeout(late, ms);
	let since = Date.now();
	const rest = () => clearTimeout(timer);
	/** @param {number} longer */
	const wind = (longer) => {
		rest();
		ms = longer;
		since = Date.now();
		timer = setTimeout(late, ms);
	};
	/** @param {Error} reason */
	const cut = (reason) => stop.abort(reason);
	const age = () => Date.now() - since;
	const isLate = () => is_late;
	const end = () => {
		rest();
		stop.abort();
	};
	signal?.addEventListener("abort", abort, { signal: stop.signal });
	if (signal?.aborted)
		abort();
	return { signal: stop.signal, rest, wind, cut, age, isLate, end };
}

/** Ends early if the signal aborts, or if the network may be back: whether that was
 * so. @param {number} ms @param {AbortSignal | undefined} signal */
export async function pause(ms, signal) {
	const limit = limited(signal, ms);
	let is_woken = false;
	const deaf = onWake((moment) => {
		is_woken ||= moment !== "offline";
		if (is_woken)
			limit.end();
	});
	if (!limit.signal.aborted)
		await new Promise((wake) => limit.signal.onabort = wake);
	deaf();
	limit.end();
	return is_woken;
}

/** 32 random characters. */
async function newKey() {
	// Node 18 has no global crypto.  Bundlers for pages leave this import alone.
	const builtin = "node:crypto";
	const { webcrypto } = globalThis.crypto ? { webcrypto: globalThis.crypto } :
		await import(/* webpackIgnore: true */ /* @vite-ignore */ builtin);
	const bytes = [...webcrypto.getRandomValues(new Uint8Array(16))];
	return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
