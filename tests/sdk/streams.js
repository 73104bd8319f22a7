// streams.js URL - a page that follows a game as api/README.md shows it, in a
// browser whose streams break after every few events: it sees each event once,
// in order, until the game is deleted.
import { follow } from "./follow.js";

const MOST_EVENTS = 4;

const [, , url = ""] = process.argv;

function check(good, what) {
	if (!good)
		throw new Error(what);
}

// The part of a browser's EventSource that the page needs.  Its reconnection
// after a broken stream must be refused, or the page would need no loop.
class EventSource {
	static opened = 0;
	#stop = new AbortController();

	constructor(address) {
		EventSource.opened++;
		this.#listen(address).then((is_whole) => {
			if (!is_whole)
				this.onerror?.({});
		});
	}

	addEventListener(type, listener) {
		check(type === "closed", `nobody says ${type}`);
		this.onclosed = listener;
	}

	close() {
		this.#stop.abort();
	}

	// Whether it was closed and not broken.
	async #listen(address) {
		const asked = {
			headers: { Accept: "text/event-stream" },
			signal: this.#stop.signal,
		};
		const { body, status } = await fetch(address, asked);
		check(status === 200, `a stream was refused with ${status}`);
		let seen = 0;
		let text = "";
		for await (const piece of body.pipeThrough(new TextDecoderStream())) {
			const blocks = (text + piece).split("\n\n");
			text = blocks.pop() ?? "";
			for (const block of blocks) {
				if (this.#tell(block))
					return true;
				seen += block.startsWith("id:") ? 1 : 0;
				if (seen === MOST_EVENTS) {
					await this.#checkRefused(address, asked);
					return false;
				}
			}
		}
		return false;
	}

	// Whether it was the last one.
	#tell(block) {
		const { id, event, data } = Object.fromEntries(block.split("\n")
			.map((line) => line.split(/: (.*)/)));
		if (event === "closed")
			this.onclosed?.({ data });
		else if (data)
			this.onmessage?.({ data, lastEventId: id });
		return event === "closed";
	}

	async #checkRefused(address, asked) {
		const { status } = await fetch(address, asked);
		check(status === 401, `a ticket was good twice: ${status}`);
	}
}
globalThis.EventSource = EventSource;

async function post(path, body) {
	const answer = await fetch(url + path, {
		method: "POST", body: JSON.stringify(body),
		headers: { "Content-Type": "application/json" },
	});
	check(answer.ok, `${path}: ${answer.status}`);
	return answer.json();
}

const { token, invite_code, game } = await post("/v1/games", { name: "Ada" });
for (const name of ["Bob", "Cleo"])
	await post(`/v1/invitations/${invite_code}/players`, { name });
const headers = { Authorization: `Bearer ${token}` };
const address = `${url}/v1/games/${game.id}`;
await fetch(`${address}/start`, { method: "POST", headers });
const { version } = await (await fetch(address, { headers })).json();

const seen = [];
await follow(address, token, game.version, (event) => {
	seen.push(event.version);
	if (event.version === version)
		fetch(address, { method: "DELETE", headers });
});
const missing = Array.from({ length: version - game.version },
	(_, at) => game.version + 1 + at);
check(`${seen}` === `${missing}`, `seen were ${seen}, and not ${missing}`);
check(EventSource.opened > 1, "no stream broke");
console.log(`${seen.length} events in ${EventSource.opened} streams`);
await follow(address, token, version, () => check(false, "it is gone"));
