// tabs.js - the streams of all tabs of a browser.  Over HTTP/1.1 a browser has six
// connections to a service, and each stream occupies one.  So at most three tabs have
// a stream, those in view first, and the others ask for the view every few seconds.
//
// Each stream has a slot in localStorage: who has it, until when, and since when its
// tab is hidden (0: it is in view).  A slot is renewed with each byte of the stream,
// so the slot of a dead tab is free soon.  If two tabs take a slot at the same time,
// the later one gets it, and the other one sees that.

const SLOTS = 3;
const LEASE_MS = 40e3; // longer than a stream may be silent

/** @typedef {{ id: string, until: number, hidden: number }} Holder */

export class Turn {
	#id = `${Math.random()}`.slice(2);
	#at = -1;
	#storage;
	#prefix;
	#leave = () => {};

	/** @param {string} url of the service @param {() => void} onLost the slot */
	constructor(url, onLost) {
		this.#prefix = `gangd-client.stream.${new URL(url, where()).host}.`;
		this.#storage = isLimited(url) ? storage() : undefined;
		if (!this.#storage)
			return;
		const stop = new AbortController();
		const { signal } = stop;
		addEventListener("storage", () => {
			if (this.#at >= 0 && !this.#isMine()) {
				this.#at = -1;
				onLost();
			}
		}, { signal });
		addEventListener("pagehide", () => this.release(), { signal });
		document.addEventListener("visibilitychange", () =>
			this.#at >= 0 && this.#write(this.#at), { signal });
		this.#leave = () => stop.abort();
	}

	/** Whether a stream may be opened, or goes on. */
	take() {
		if (!this.#storage)
			return true;
		if (this.#at >= 0 && !this.#isMine())
			this.#at = -1;
		if (this.#at < 0)
			this.#at = this.#find();
		if (this.#at >= 0)
			this.#write(this.#at);
		return this.#at >= 0;
	}

	/** Gives the slot to others. */
	release() {
		if (this.#at >= 0 && this.#isMine())
			this.#storage?.removeItem(this.#prefix + this.#at);
		this.#at = -1;
	}

	end() {
		this.release();
		this.#leave();
	}

	/** A free slot; or, for a tab in view, that of the tab hidden longest. */
	#find() {
		const holders = Array.from({ length: SLOTS }, (_, at) => this.#read(at));
		const now = Date.now();
		const free = holders.findIndex((holder) => !holder || holder.until < now ||
			holder.until > now + LEASE_MS);
		if (free >= 0 || document.hidden)
			return free;
		const hidden = holders.map((holder) => holder?.hidden || Infinity);
		const first = Math.min(...hidden);
		return first < Infinity ? hidden.indexOf(first) : -1;
	}

	#isMine() {
		return this.#read(this.#at)?.id === this.#id;
	}

	/** @param {number} at @returns {Holder | undefined} */
	#read(at) {
		try {
			return JSON.parse(this.#storage?.getItem(this.#prefix + at) ?? "null") ??
				undefined;
		} catch {
			return undefined;
		}
	}

	/** @param {number} at */
	#write(at) {
		const mine = this.#read(at);
		const since = mine?.id === this.#id && mine.hidden || Date.now();
		const holder = { id: this.#id, until: Date.now() + LEASE_MS,
			hidden: document.hidden ? since : 0 };
		try {
			this.#storage?.setItem(this.#prefix + at, JSON.stringify(holder));
		} catch {
			// It is full: then no tab is limited.
		}
	}
}

const where = () => globalThis.location?.href ?? "http://localhost";

/** The storage that the tabs of a browser share; a reader may forbid it. */
function storage() {
	try {
		localStorage.getItem("");
		return localStorage;
	} catch {
		return undefined;
	}
}

/** Whether the browser speaks HTTP/1.1 to the service. HTTP/2 needs TLS; what is
 * spoken over TLS is known of earlier requests, if they were to the page's origin.
 * @param {string} url */
function isLimited(url) {
	if (!globalThis.document)
		return false;
	const { protocol, origin } = new URL(url, where());
	if (protocol === "http:")
		return true;
	const spoken = ["resource", "navigation"].flatMap((type) =>
		/** @type {PerformanceResourceTiming[]} */
		(performance.getEntriesByType(type)))
		.filter(({ name, nextHopProtocol }) =>
			name.startsWith(`${origin}/`) && nextHopProtocol);
	return spoken.length > 0 &&
		spoken.every(({ nextHopProtocol }) => nextHopProtocol.startsWith("http/1"));
}
