/*
 * load.js SECONDS MATCHES ADDRESS:PORT... - make matches by the lobby and play
 * them by socket.io, each with one move on its way at a time; prints what
 * games.lua prints of wrk.
 *
 * A move counts when the server sends the new state.  It does so before it
 * stores that state, but the next move of a match waits until it is stored.
 */
'use strict';

const { io } = require('socket.io-client');

const SEAT = '0';
const STATE_SECONDS = 30;

async function post(address, path, body) {
	const answer = await fetch(`http://${address}/games/chips/${path}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!answer.ok)
		throw new Error(`POST ${path}: ${answer.status}`);
	return answer.json();
}

class Match {
	constructor(address) {
		this.address = address;
		this.spent = []; // on each move, in milliseconds
	}

	async join() {
		const made = await post(this.address, 'create',
			{ numPlayers: 3 });
		this.id = made.matchID;
		const seat = await post(this.address, `${this.id}/join`,
			{ playerID: SEAT, playerName: 'A' });
		this.credentials = seat.playerCredentials;
		this.socket = io(`http://${this.address}/chips`,
			{ transports: ['websocket'] });
		this.state = new Promise((resolve, reject) => {
			this.socket.once('connect_error', reject);
			this.socket.once('sync', (id, sync) =>
				resolve(sync.state));
			setTimeout(reject, STATE_SECONDS * 1000,
				new Error('no state came')).unref();
		});
		this.socket.emit('sync', this.id, SEAT, this.credentials, 3);
		this.state = await this.state;
	}

	take() {
		const stars = this.state.G.holders[0] === SEAT ? 1 : 0;
		const action = {
			type: 'MAKE_MOVE',
			payload: {
				type: 'take',
				args: [stars],
				playerID: SEAT,
				credentials: this.credentials,
			},
		};
		this.stars = stars;
		this.begun = performance.now();
		this.socket.emit('update', action, this.state._stateID,
			this.id, SEAT);
	}

	play() {
		this.socket.on('update', (id, state) => {
			if (state.G.holders[this.stars] !== SEAT)
				throw new Error('another chip was taken');
			this.spent.push(performance.now() - this.begun);
			this.state = state;
			this.take();
		});
		this.take();
	}
}

async function main(seconds, count, addresses) {
	const matches = Array.from({ length: count }, (_, i) =>
		new Match(addresses[i % addresses.length]));
	await Promise.all(matches.map((match) => match.join()));

	const begun = performance.now();
	matches.forEach((match) => match.play());
	await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
	const lasted = (performance.now() - begun) / 1000;

	const spent = matches.flatMap((match) => match.spent)
		.sort((a, b) => a - b);
	const still = matches.filter((match) => match.spent.length === 0);
	const part = (share) =>
		Math.round(1000 * spent[Math.floor(share * spent.length)]);
	console.log(`rate ${(spent.length / lasted).toFixed(1)}`,
		`p50_us ${part(0.5)} p99_us ${part(0.99)}`,
		`requests ${spent.length} errors ${still.length}`);
	process.exit();
}

const [seconds, matches, ...addresses] = process.argv.slice(2);
main(Number(seconds), Number(matches), addresses);
