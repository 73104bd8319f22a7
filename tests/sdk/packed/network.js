// network.js URL NEXT_URL PID - gangd-client over a network that loses requests
// and responses, cuts streams, or keeps silent, and over a restart: the daemon at
// URL (PID) is stopped, and that at NEXT_URL, of the same database, takes over.
import http from "node:http";
import { Gangd, Problem, wake } from "gangd-client";

const [, , url = "", nextUrl = "", pid = ""] = process.argv;

function check(good, what) {
	if (!good)
		throw new Error(what);
}

// A proxy.  faults are those of the next requests, one each; undefined: no fault.
class Network {
	target = url;
	faults = [];
	seen = [];          // requests: method, path, key, at
	lost = [];          // bodies of responses that did not get through
	open = new Set();   // streams
	connections = new Set();
	dead = new Set();   // of these: nothing comes through, and no end
	#server = http.createServer((asked, told) => this.#pass(asked, told));

	async start() {
		this.#server.on("connection", (socket) => {
			this.connections.add(socket);
			socket.on("close", () => this.connections.delete(socket));
		});
		await new Promise((end) => this.#server.listen(0, "127.0.0.1", end));
		this.url = `http://127.0.0.1:${this.#server.address().port}`;
	}

	stop() {
		this.#server.close();
		this.#server.closeAllConnections();
	}

	/** As when a phone has slept. */
	die() {
		this.connections.forEach((socket) => this.dead.add(socket));
	}

	#pass(asked, told) {
		if (this.dead.has(asked.socket))
			return;
		const { method, url: path, headers } = asked;
		this.seen.push({ method, path, at: Date.now(),
			key: headers["idempotency-key"], last: headers["last-event-id"] });
		const fault = this.faults.shift() ?? {};
		if (fault.status) {
			told.writeHead(fault.status, fault.headers);
			told.end(fault.body ?? "");
		} else if (fault.unsent) {
			told.destroy();
		} else if (!fault.silent) {
			const onward = http.request(this.target + path,
				{ method, headers, agent: false },
				(answer) => this.#answer(answer, told, fault));
			onward.on("error", () => told.destroy());
			told.on("close", () => onward.destroy());
			asked.pipe(onward);
		}
	}

	#answer(answer, told, { lost, cut = Infinity }) {
		const is_stream =
			answer.headers["content-type"] === "text/event-stream";
		let body = "";
		if (is_stream)
			this.open.add(told);
		told.on("close", () => this.open.delete(told));
		if (!lost)
			told.writeHead(answer.statusCode, answer.headers);
		answer.on("data", (piece) => {
			if (this.dead.has(told.socket))
				return;
			body += piece;
			if (!lost)
				told.write(piece.subarray(0, Math.max(cut, 0)));
			cut -= piece.length;
			if (cut <= 0)
				told.destroy();
		});
		answer.on("error", () => told.destroy());
		answer.on("end", () => {
			if (lost)
				this.lost.push(JSON.parse(body));
			lost ? told.destroy() : told.end();
		});
	}
}

const network = new Network();
await network.start();
const direct = new Gangd(url);
const quick = { delay: 10 };
const gangd = new Gangd(network.url, quick);

// A table of three on a whole network.
async function table(options = {}) {
	const ada = await direct.create({ name: "Ada", seats: 3, ...options });
	const bob = await direct.join(ada.inviteCode, { name: "Bob" });
	const cleo = await direct.join(ada.inviteCode, { name: "Cleo" });
	return [ada, bob, cleo];
}

const throughNetwork = ({ id, token }, options = quick) =>
	new Gangd(network.url, options).seat({ id, token });

async function refusal(promise) {
	const error = await promise.then(() => undefined, (error) => error);
	check(error instanceof Error, `it was not refused: ${error}`);
	return error;
}

// A chip is taken, and returned, and so on: two more versions of the game.
async function takeAndReturn(seat) {
	const chip = { color: "white", stars: 1 };
	await seat.act({ action: "take_chip", ...chip, from: "center" });
	await seat.act({ action: "return_chip", ...chip });
}

// The changes that a follower gets, and ends(version) when a view of it has come.
class Reader {
	views = [];
	events = [];
	pauses = [];
	resumed = 0;
	closed = [];
	#wake = () => {};

	constructor(seat, signal) {
		this.over = this.#read(seat, signal);
		this.over.catch(() => this.#wake());
	}

	async #read(seat, signal) {
		const onPause = (ms) => {
			this.pauses.push(ms);
			this.#wake();
		};
		const onResume = () => {
			this.resumed++;
			this.#wake();
		};
		const onClosed = (reason) => this.closed.push(reason);
		for await (const { view, events } of
			seat.follow({ signal, onPause, onResume, onClosed })) {
			this.views.push(view);
			this.events.push(...events.map(({ version }) => version));
			this.#wake();
		}
	}

	async until(is_done) {
		while (!is_done())
			await Promise.race([this.over.then(() => {
				throw new Error("it ended");
			}), new Promise((wake) => this.#wake = wake)]);
	}

	at(version) {
		return this.until(() => this.views.at(-1)?.version >= version);
	}

	// Every event once, in order, and views that fit and do not go back.
	checkWhole() {
		const versions = this.views.map(({ version }) => version);
		const [first] = versions;
		check(`${this.events}` === `${Array.from(
			{ length: versions.at(-1) - first }, (_, at) => first + 1 + at)}`,
		`from ${first} came ${this.events}`);
		check(versions.every((version, at) => version > (versions[at - 1] ?? 0)),
			`the views were ${versions}`);
	}
}

const SCENES = {
	async "a create that is lost gives one game"() {
		network.faults = [{ lost: true }, { unsent: true }, { cut: 300 }];
		const seat = await gangd.create({ name: "Ada", seats: 3 });
		const keys = network.seen.map(({ key }) => key);
		check(keys.length === 4 && keys[0].length >= 20 &&
			new Set(keys).size === 1, `the keys were ${keys}`);
		const [{ game, token, invite_code }] = network.lost;
		check(game.id === seat.id && token === seat.token &&
			invite_code === seat.inviteCode, "there are two games");
		network.faults = [{ lost: true }];
		const bob = await gangd.join(seat.inviteCode, { name: "Bob" });
		check(bob.view.players.length === 2 &&
			network.lost[1].token === bob.token, "Bob sits twice");
	},

	async "a move that is lost is made once"() {
		const [ada] = await table();
		const seat = throughNetwork(ada);
		network.faults = [{ lost: true }, { lost: true }];
		const view = await seat.act({
			action: "take_chip", color: "white", stars: 2, from: "center",
		});
		const { events } = await ada.request("GET",
			`/events?after=${ada.view.version}`);
		check(events.filter(({ type }) => type === "chip_taken").length === 1,
			"the chip was taken twice");
		check(new Set(network.seen.map(({ key }) => key)).size === 1 &&
			network.seen.length === 3, "the keys differ");
		check(network.lost[0].version === view.version &&
			seat.view === view, "the view is another one");
		await seat.act({ action: "return_chip", color: "white", stars: 2 });
		check(network.seen[3].key !== network.seen[0].key, "a key twice");
		await seat.act({ action: "take_chip", color: "white", stars: 2 },
			{ key: "a-key-of-the-caller-kept-for-a-reload" });
		check(network.seen[4].key.startsWith("a-key-of-the-caller"), "its key");
	},

	async "a 503 is repeated after Retry-After"() {
		network.faults = [{ status: 503, headers: { "Retry-After": "1" } },
			{ status: 502, body: "<html>no backend</html>" }];
		await gangd.create({ name: "Ada", seats: 3 });
		const [first, second] = network.seen;
		check(second.at - first.at >= 1000, "it was repeated too early");
		network.faults = [{ status: 503, headers: { "Retry-After": "31" } }];
		const late = await refusal(gangd.create({ name: "Ada", seats: 3 }));
		check(late instanceof Problem && late.status === 503 &&
			late.code === "foreign_response" && late.retryAfter === 31,
		`it is ${late}`);
		check(network.seen.length === 4, "a long wait was waited");
	},

	async "a network without end of losses is given up"() {
		network.faults = Array(9).fill({ unsent: true });
		const few = new Gangd(network.url, { ...quick, retries: 2 });
		const error = await refusal(few.create({ name: "Ada", seats: 3 }));
		check(!(error instanceof Problem) && network.seen.length === 3,
			`it is ${error} after ${network.seen.length}`);
		network.faults = [{ silent: true }];
		const hasty = new Gangd(network.url, { ...quick, timeout: 200 });
		await hasty.request("GET", "/v1/rules/modes");
		check(network.seen.length > 4, "a silent request was waited for");
		network.faults = [{ silent: true }];
		const stop = new AbortController();
		const asked = gangd.request("GET", "/v1/rules/modes",
			{ signal: stop.signal });
		stop.abort(new Error("changed my mind"));
		check((await refusal(asked)).message === "changed my mind", "no abort");
	},

	async "a refusal is a Problem"() {
		const [ada, bob] = await table();
		const moved = await refusal(bob.act({ action: "next_heist" }));
		check(moved instanceof Problem && moved.status === 409 &&
			moved.code === "showdown_not_reached" && moved.title && moved.detail &&
			moved.members.now.status === "playing", `it is ${moved}`);
		const bad = await refusal(direct.create({ name: "" }));
		check(bad.code === "invalid" && bad.members.errors.length === 1,
			`it is ${bad}`);
		const wrong = direct.seat({ id: ada.id, token: "gang_wrong" });
		const refused = await refusal(wrong.follow().next());
		check(refused.code === "invalid_token", `it is ${refused}`);
		const stale = await refusal(ada.look({ headers: { "If-Match": '"0"' } }));
		check(stale.status === 412, `it is ${stale}`);
	},

	async "streams that are cut, refused and silent give every event once"() {
		const [ada, bob] = await table();
		const stop = new AbortController();
		const reader = new Reader(throughNetwork(ada,
			{ ...quick, silence: 400 }), stop.signal);
		await reader.at(1);
		const { length } = JSON.stringify(reader.views[0]);
		const sorts = [
			() => ({ cut: Math.ceil(Math.random() * length) }),
			() => ({ cut: length + Math.ceil(Math.random() * 2 * length) }),
			() => ({ silent: true }), () => ({ status: 503 }),
			() => ({ unsent: true }), () => ({}),
		];
		for (const sort of [...sorts, ...sorts, ...sorts]) {
			network.faults.push(sort());
			for (const told of network.open)
				told.destroy();
			await takeAndReturn(bob);
			await reader.until(() => network.faults.length === 0);
		}
		const { version } = await bob.look();
		await reader.at(version);
		reader.checkWhole();
		check(network.seen.length > 3 * sorts.length, "too few streams");
		check(network.seen.every(({ last }, at) => at === 0 || last), "no resume");
		stop.abort();
		await reader.over;
	},

	async "a stream that falls silent is opened again"() {
		const [ada, bob] = await table();
		const reader = new Reader(throughNetwork(ada, { ...quick, silence: 200 }));
		await reader.at(1);
		// It is known to be back before anything changes.
		await reader.until(() => reader.pauses.length > 1 &&
			reader.resumed > 0);
		check(reader.views.length === 1, "something has changed");
		await takeAndReturn(bob);
		await reader.at((await bob.look()).version);
		await ada.request("DELETE", "");
		await reader.over;
		reader.checkWhole();
	},

	async "dead connections are replaced when the network is back"() {
		const [ada, bob] = await table();
		const seat = throughNetwork(ada, {});
		const stop = new AbortController();
		const reader = new Reader(seat, stop.signal);
		await reader.at(1);
		const chip = { color: "white", stars: 1 };
		for (const moment of ["online", "seen"]) {
			await seat.look(); // a connection that is kept
			network.die();
			const { version } = await bob.act({ action: "take_chip", ...chip,
				from: "center" });
			await bob.act({ action: "return_chip", ...chip });
			// A page that comes into view trusts a stream that was heard lately.
			if (moment === "seen")
				await new Promise((end) => setTimeout(end, 5200));
			const begun = Date.now();
			wake(moment);
			await reader.at(version);
			const ms = Date.now() - begun;
			check(ms < 2000, `${moment}: it took ${ms} ms`);
		}
		reader.checkWhole();
		stop.abort();
		await reader.over;
	},

	async "a request on a dead connection is repeated within seconds"() {
		const [ada] = await table();
		const seat = throughNetwork(ada, {});
		const chip = { color: "white", stars: 1 };
		const take = () => seat.act({ action: "take_chip", ...chip,
			from: "center" });
		await seat.look();
		network.die();
		let begun = Date.now();
		const taken = take();
		await new Promise((end) => setTimeout(end, 600));
		wake("seen");
		await taken;
		check(Date.now() - begun < 3500, "it was not woken");
		await seat.act({ action: "return_chip", ...chip });
		network.die();
		begun = Date.now();
		await take();
		check(Date.now() - begun < 6000, "the first attempt was long");
	},

	async "a stream that does not begin is given up"() {
		const [ada] = await table();
		const stop = new AbortController();
		network.faults = [{ silent: true }];
		const reader = new Reader(throughNetwork(ada,
			{ ...quick, opening: 300 }), stop.signal);
		await reader.at(1);
		check(reader.pauses.length === 1 && network.seen.length === 2,
			`there were ${network.seen.length} attempts`);
		stop.abort();
		await reader.over;
	},

	async "a pause is what the service says, until told otherwise"() {
		const [ada] = await table();
		const stop = new AbortController();
		const reader = new Reader(throughNetwork(ada, {}), stop.signal);
		await reader.at(1);
		for (const told of network.open)
			told.destroy();
		await reader.until(() => reader.pauses.length > 0);
		const [ms] = reader.pauses;
		check(ms >= 1000 && ms <= 2000, `the pause is ${ms} ms`);
		stop.abort();
		await reader.over;
	},

	async "a stream ends with the loop, and with the game"() {
		const [ada, bob, cleo] = await table();
		for await (const { view } of throughNetwork(ada).follow())
			if (view.version)
				break;
		while (network.open.size > 0)
			await new Promise((end) => [...network.open][0].on("close", end));
		const reader = new Reader(throughNetwork(bob));
		await reader.at(1);
		await cleo.leave();
		const left = throughNetwork(cleo);
		check((await refusal(left.look())).status === 401, "she sits there");
		await reader.until(() => reader.events.length > 0);
		// He is away while the game is deleted.
		network.faults = [{ unsent: true }, { unsent: true }];
		for (const told of network.open)
			told.destroy();
		await ada.request("DELETE", "");
		await reader.over;
		check(`${reader.closed}` === "" && reader.closed.length === 1,
			`${reader.closed} is known of what happened meanwhile`);
	},

	async "a stream says why it ends"() {
		const [ada, bob, cleo] = await table();
		const readers = [ada, bob, cleo].map((seat) =>
			new Reader(throughNetwork(seat)));
		await Promise.all(readers.map((reader) => reader.at(1)));
		const reasons = async (at) => {
			await readers[at].over;
			return `${readers[at].closed}`;
		};
		await cleo.leave();
		check(await reasons(2) === "left", `Cleo: ${readers[2].closed}`);
		await bob.request("POST", "/players/2/token");
		check(await reasons(1) === "renewed", `Bob: ${readers[1].closed}`);
		const [dora, emil] = await table();
		readers.push(new Reader(throughNetwork(emil)));
		await readers[3].at(1);
		await dora.request("DELETE", "/players/2");
		check(await reasons(3) === "removed", `Emil: ${readers[3].closed}`);
		await ada.request("DELETE", "");
		check(await reasons(0) === "deleted", `Ada: ${readers[0].closed}`);
	},

	async "an EventSource reads by a ticket"() {
		const [ada] = await table();
		const address = await throughNetwork(ada).streamUrl("1");
		const asked = { headers: { Accept: "text/event-stream" } };
		const first = await fetch(address, asked);
		const second = await fetch(address, asked);
		check(first.status === 200 && second.status === 401,
			`it is ${first.status}, then ${second.status}`);
		const { value } = await first.body.getReader().read();
		check(new TextDecoder().decode(value).includes("retry:"), "no stream");
	},

	async "the lobby leads to a game"() {
		const ada = await gangd.create({ name: "Ada", visibility: "public",
			seats: 3, spectators: true });
		const found = [];
		for await (const game of gangd.lobby({ ruleset: "the_gang", limit: "1" }))
			found.push(game.id);
		check(found.includes(ada.id), `the lobby has ${found}`);
		const bob = await gangd.joinGame(ada.id, { name: "Bob" });
		const spectator = gangd.seat({ id: ada.id });
		check((await spectator.look()).you === null &&
			bob.view.you.seat === 2, "who is who?");
	},

	async "a restart is a pause"() {
		const [ada, bob] = await table();
		const reader = new Reader(throughNetwork(ada));
		await reader.at(1);
		process.kill(Number(pid));
		// The pauses grow: of 10 ms the fourth is more than 40.
		await reader.until(() => reader.pauses.at(-1) > 40);
		check(reader.resumed === 0, "it is back without a service");
		network.target = nextUrl;
		await takeAndReturn(throughNetwork(bob));
		await reader.at((await throughNetwork(bob).look()).version);
		reader.checkWhole();
		check(reader.closed.length === 0, "a restart ends it");
		await throughNetwork(ada).request("DELETE", "");
		await reader.over;
		check(`${reader.closed}` === "deleted", `it is ${reader.closed}`);
	},
};

for (const [name, scene] of Object.entries(SCENES)) {
	const hung = setTimeout(() => {
		throw new Error(`${name}: it hangs`);
	}, 30_000);
	network.faults = [];
	network.seen = [];
	network.lost = [];
	await scene();
	clearTimeout(hung);
	console.log("ok    ", name);
}
network.stop();
