// streams.js URL - a page that follows a game as api/README.md shows it, in a
// browser whose streams break after every few events: it sees each event once,
// in order, and the view after the last one, until the game is deleted.
import { act, follow } from "./follow.js";

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
		check(["view", "closed"].includes(type), `nobody says ${type}`);
		this[`on${type}`] = listener;
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
		if (event)
			this[`on${event}`]({ data, lastEventId: id });
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

const moves = [
	{ action: "start" },
	{ action: "take_chip", color: "white", stars: 1, from: "center" },
	{ action: "take_chip", color: "white", stars: 2, from: "center" },
	{ action: "return_chip", color: "white", stars: 2 },
];
const events = [];
const views = [];
let last;

function deleteAtTheEnd() {
	if (last && views.at(-1) === last)
		fetch(address, { method: "DELETE", headers });
}

async function move() {
	for (const command of moves) {
		const { ok, status } = await act(address, token, command);
		check(ok, `${command.action}: ${status}`);
	}
	({ version: last } = await (await fetch(address, { headers })).json());
	deleteAtTheEnd();
}

const reason = await follow(address, token, ({ version }) => {
	views.push(version);
	if (views.length === 1)
		move();
	else
		deleteAtTheEnd();
}, ({ version }) => events.push(version));
const [first] = views;
const all = Array.from({ length: last - first }, (_, at) => first + 1 + at);
check(`${events}` === `${all}`, `seen were ${events}, and not ${all}`);
check(views.at(-1) === last &&
	views.every((version, at) => version >= (views[at - 1] ?? 0)),
`the views were ${views}`);
check(reason === "deleted", `the reason is ${reason}`);
check(EventSource.opened > 1, "no stream broke");
console.log(`${events.length} events and ${views.length} views in`,
	`${EventSource.opened} streams`);
await follow(address, token, () => check(false, "it is gone"));
