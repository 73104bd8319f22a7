// follow.js - a game as it changes: a stream with views, opened again after each
// break.  It continues after the view given last, so each event is given once.
import { limited, pause } from "./connection.js";
import { Problem } from "./problem.js";

/** @import { Seat } from "./index.js" */
/** @import { Change, FollowOptions, GameEvent } from "./types.js" */

/** See Seat's follow(). @param {Seat} seat @param {FollowOptions} options
 * @returns {AsyncGenerator<Change, void, void>} */
export async function* follow(seat, { signal, onPause, onResume, onClosed }) {
	const { connection, path, token } = seat;
	const headers = new Headers({ Accept: "text/event-stream" });
	let is_member = false;
	let failures = 0;
	let last = -1; // the version of the view given last
	let retry = /** @type {number | undefined} */ (undefined);
	while (!signal?.aborted) {
		let broken = /** @type {unknown} */ (new Error("the stream ended"));
		let events = /** @type {GameEvent[]} */ ([]);
		const limit = limited(signal, connection.options.silence);
		try {
			const init = { headers, signal: limit.signal };
			const { body } = await connection.open(
				`${path}/events?views=true`, init, token);
			is_member = true;
			if (failures > 0)
				onResume?.();
			for await (const message of messagesOf(body, limit)) {
				failures = 0;
				retry = Number(message["retry"] ?? retry) || retry;
				const data = JSON.parse(message["data"] ?? "null");
				if (message["event"] === "closed") {
					if (data?.reason === "stopping")
						break;
					onClosed?.(data?.reason ?? undefined);
					return;
				}
				if (data && message["event"] !== "view") {
					events.push(data);
				} else if (data && seat.see(data) && data.version > last) {
					last = data.version;
					headers.set("Last-Event-ID", `${last}`);
					yield { view: data, events };
					events = [];
				}
			}
		} catch (error) {
			broken = error;
		} finally {
			limit.end();
		}
		const is_out = broken instanceof Problem && broken.status === 401;
		if (signal?.aborted)
			return;
		if (is_member && is_out) {
			onClosed?.(undefined);
			return;
		}
		if (!connection.isPassing(broken))
			throw broken;
		const ms = connection.delay(failures++, broken, retry);
		onPause?.(ms, broken);
		await pause(ms, signal);
	}
}

/**
 * The fields of each message. @param {ReadableStream<Uint8Array> | null} body
 * @param {ReturnType<typeof limited>} limit of the silence
 * @returns {AsyncGenerator<Record<string, string>, void, void>}
 */
async function* messagesOf(body, limit) {
	if (!body)
		throw new Error("this fetch has no streams: use streamUrl()");
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	for (;;) {
		limit.wind();
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
