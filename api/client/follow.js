// follow.js - a game as it changes: a stream with views, opened again after each
// break.  It continues after the view given last, so each event is given once.  A tab
// that may not have a stream (tabs.js) asks for the view every few seconds instead.
import { HASTE, limited, OLD_ATTEMPT, pause } from "./connection.js";
import { Problem } from "./problem.js";
import { Turn } from "./tabs.js";
import { onWake } from "./waking.js";

/** @import { Seat } from "./index.js" */
/** @import { Change, FollowOptions, GameEvent, View } from "./types.js" */
/** @import { Moment } from "./waking.js" */

// A stream silent for this many milliseconds may be dead at a wake-up.
const SILENT_STREAM = 5000;
// How often a tab without a stream asks, in view or hidden.
const ASKS_IN_VIEW = 2000;
const ASKS_HIDDEN = 5000;

/** See Seat's follow(). @param {Seat} seat @param {FollowOptions} options */
export function follow(seat, options) {
	return new Follower(seat, options).changes();
}

class Follower {
	#seat;
	#options;
	#turn;
	#headers = new Headers({ Accept: "text/event-stream" });
	#limit = limited(undefined, 0);
	#isReading = false;
	#isWoken = false;
	/** Milliseconds for the next attempt after a wake-up; 0: the usual ones. */
	#haste = 0;
	#isMember = false;
	#isPaused = false;
	#failures = 0;
	/** The version of the view given last. */
	#last = -1;
	#tag = "";
	#retry = /** @type {number | undefined} */ (undefined);

	/** @param {Seat} seat @param {FollowOptions} options */
	constructor(seat, options) {
		this.#limit.end();
		this.#seat = seat;
		this.#options = options;
		this.#turn = new Turn(seat.connection.url, () => this.#cut());
	}

	/** @returns {AsyncGenerator<Change, void, void>} */
	async *changes() {
		const deaf = onWake((moment) => this.#wake(moment));
		try {
			while (yield* this.#attempt());
		} finally {
			deaf();
			this.#limit.end();
			this.#turn.end();
		}
	}

	/** Whether another attempt is to follow.
	 * @returns {AsyncGenerator<Change, boolean, void>} */
	async *#attempt() {
		const { signal, onClosed, onPause } = this.#options;
		const { connection } = this.#seat;
		let broken = /** @type {unknown} */ (undefined);
		this.#isWoken = false;
		try {
			if (signal?.aborted ||
			    (yield* this.#turn.take() ? this.#read() : this.#ask()))
				return false;
		} catch (error) {
			broken = error;
		} finally {
			this.#limit.end();
		}
		if (signal?.aborted)
			return false;
		if (!broken || (this.#isWoken && !(broken instanceof Problem)))
			return true;
		if (this.#isMember && broken instanceof Problem && broken.status === 401) {
			onClosed?.(undefined);
			return false;
		}
		if (!connection.isPassing(broken))
			throw broken;
		const isHasty = this.#limit.isLate() && this.#haste > 0 &&
			this.#haste < connection.options.opening;
		this.#haste = isHasty ? 2 * this.#haste : 0;
		const ms = isHasty ? 0 :
			connection.delay(this.#failures++, broken, this.#retry);
		this.#isPaused = true;
		onPause?.(ms, broken);
		if (ms > 0 && await pause(ms, signal))
			this.#hurry();
		return true;
	}

	/** Reads a stream: true at its end for good.
	 * @returns {AsyncGenerator<Change, boolean, void>} */
	async *#read() {
		const { connection, path, token } = this.#seat;
		const { opening, silence } = connection.options;
		const limit = this.#begin(this.#haste || opening);
		let events = /** @type {GameEvent[]} */ ([]);
		const { body } = await connection.open(`${path}/events?views=true`,
			{ headers: this.#headers, signal: limit.signal }, token);
		this.#isReading = true;
		this.#haste = 0;
		this.#resume();
		for await (const message of messagesOf(body, limit, silence)) {
			this.#failures = 0;
			this.#turn.take();
			this.#retry = Number(message["retry"] ?? this.#retry) || this.#retry;
			const data = JSON.parse(message["data"] ?? "null");
			if (message["event"] === "closed" && data?.reason !== "stopping") {
				this.#options.onClosed?.(data?.reason ?? undefined);
				return true;
			}
			if (message["event"] === "closed")
				break;
			if (data && message["event"] !== "view") {
				events.push(data);
			} else if (data && this.#isNews(data)) {
				yield { view: data, events };
				events = [];
			}
		}
		throw new Error("the stream ended");
	}

	/** Asks for what a stream would bring, and waits before the next time.
	 * @returns {AsyncGenerator<Change, boolean, void>} */
	async *#ask() {
		const { signal } = this.#options;
		const after = this.#last;
		const view = /** @type {View | null} */ (await this.#get("", this.#tag));
		this.#failures = this.#haste = 0;
		this.#resume();
		if (view && view.version > after) {
			const events = after < 0 ? [] : await this.#eventsOf(view, after);
			if (this.#isNews(view))
				yield { view, events };
		}
		if (await pause(document.hidden ? ASKS_HIDDEN : ASKS_IN_VIEW, signal))
			this.#hurry();
		return false;
	}

	/** The events up to those that a view has. @param {View} view
	 * @param {number} after @returns {Promise<GameEvent[]>} */
	async #eventsOf({ version }, after) {
		const events = /** @type {GameEvent[]} */ ([]);
		while ((events.at(-1)?.version ?? after) < version) {
			const from = events.at(-1)?.version ?? after;
			events.push(...(await this.#get(`/events?limit=500&after=${from}`))
				.events);
		}
		return events.filter((event) => event.version <= version);
	}

	/** The body of a response; null if it still has the tag. @param {string} path
	 * @param {string} [tag] @returns {Promise<any>} */
	async #get(path, tag) {
		const { connection, token } = this.#seat;
		const { signal } = this.#begin(this.#haste || connection.options.opening);
		const headers = new Headers(tag ? { "If-None-Match": tag } : {});
		const response = await connection.open(this.#seat.path + path,
			{ headers, signal }, token);
		if (tag !== undefined)
			this.#tag = response.headers.get("ETag") ?? "";
		return JSON.parse(await response.text() || "null");
	}

	/** @param {number} ms */
	#begin(ms) {
		this.#limit.end();
		this.#isReading = false;
		this.#limit = limited(this.#options.signal, ms);
		return this.#limit;
	}

	#resume() {
		this.#isMember = true;
		if (this.#isPaused)
			this.#options.onResume?.();
		this.#isPaused = false;
	}

	/** Whether a view is to be given. @param {View} view */
	#isNews(view) {
		if (!this.#seat.see(view) || view.version <= this.#last)
			return false;
		this.#last = view.version;
		this.#headers.set("Last-Event-ID", `${view.version}`);
		return true;
	}

	/** Another stream, at once, for one that may be dead. @param {Moment} moment */
	#wake(moment) {
		const limit = this.#limit;
		if (limit.signal.aborted)
			return;
		if (moment === "offline") {
			limit.cut(new Error("the network is gone"));
			return;
		}
		const isOld = this.#isReading ?
			moment === "online" || limit.age() > SILENT_STREAM :
			limit.age() > OLD_ATTEMPT;
		if (!isOld)
			return;
		this.#hurry();
		this.#cut();
	}

	#hurry() {
		this.#failures = 0;
		this.#haste = HASTE;
	}

	/** Ends the attempt; the next one follows at once. */
	#cut() {
		this.#isWoken = true;
		this.#limit.cut(new Error("another attempt is due"));
	}
}

/**
 * The fields of each message. @param {ReadableStream<Uint8Array> | null} body
 * @param {ReturnType<typeof limited>} limit of the silence
 * @param {number} silence milliseconds
 * @returns {AsyncGenerator<Record<string, string>, void, void>}
 */
async function* messagesOf(body, limit, silence) {
	if (!body)
		throw new Error("this fetch has no streams: use streamUrl()");
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	for (;;) {
		limit.wind(silence);
		const { done, value } = await reader.read();
		limit.rest();
		if (done)
			return;
		const blocks = (text + decoder.decode(value, { stream: true }))
			.split("\n\n");
		text = blocks.pop() ?? "";
		for (const block of blocks)
			yield Object.fromEntries(block.split("\n")
				.map((line) => line.split(/: (.*)/)));
	}
}
