/*
 * The chips of gangd's games: the part of a state that the white round needs,
 * since the comparison is made there.  The bytes are those of
 * internal/games/gang/rules/gang_codec.c.
 */
'use strict';

const COLORS = ['white', 'yellow', 'orange', 'red'];
const CARDS = [...'23456789TJQKA'].flatMap((rank) =>
	[...'cdhs'].map((suit) => rank + suit));

const STATE_FORMAT = 6;
const REPLAY_FORMAT = 3;
const CHECKSUM_SIZE = 4;
const MODE_BASIC = 1;
const VERB_TAKE = 32;
const FROM_ANYWHERE = 255;
const CENTER = 0;
const EVENT_CHIP_TAKEN = 35;
const EVENT_CHIP_RETURNED = 36;

class Refusal extends Error {
	constructor(status, code, detail) {
		super(detail);
		this.statusCode = status;
		this.code = code;
	}
}

// As internal/base/bytes.c does it: four bytes a step, then the rest.
function checksum(bytes) {
	let sum = bytes.length;
	let at = 0;
	const step = (word) => {
		sum = Math.imul(sum ^ word, 0x9e3779b1);
		sum = sum << 15 | sum >>> 17;
	};
	for (; at + 4 <= bytes.length; at += 4)
		step(bytes.readInt32LE(at));
	for (; at < bytes.length; at++)
		step(bytes[at]);
	return sum;
}

// The heist of a state; its chips are holders by stars, and patched in place.
function decode(state) {
	const end = state.length - CHECKSUM_SIZE;
	if (state[0] !== STATE_FORMAT || state[1] !== MODE_BASIC ||
	    state.readInt32LE(end) !== checksum(state.subarray(0, end)))
		throw new Error('the state is damaged');
	const players = state[4];
	if (players === 0)
		throw new Refusal(409, 'game_not_started',
			'The game has not started.');
	let at = 5;
	const byte = () => state[at++];
	const cards = () => {
		const count = byte();
		at += count;
		return state.subarray(at - count, at);
	};
	for (let stack = 0; stack < 2; stack++) {
		at += 3; // the cards that were seen, and whether it is shuffled
		cards();
	}
	const [gold, red, number, , round] = Array.from({ length: 6 }, byte);
	at += 5; // challenges and specialist, which the basic mode has not
	const heist = {
		state,
		players,
		gold,
		red,
		number,
		round,
		pockets: Array.from({ length: players }, cards),
		community: cards(),
		deck: cards(),
		discards: cards(),
		chips: COLORS.map(cards),
	};
	if (heist.round !== 1)
		throw new Refusal(501, 'not_implemented',
			'This service plays the white round alone.');
	return heist;
}

// The bytes of a heist whose chips were patched.
function encode(heist) {
	const { state } = heist;
	const end = state.length - CHECKSUM_SIZE;
	state.writeInt32LE(checksum(state.subarray(0, end)), end);
	return state;
}

// The argument of an action for a body's "from": a seat, "center", or nothing.
function seatFrom(from) {
	if (from === undefined)
		return FROM_ANYWHERE;
	return from === 'center' ? CENTER : from;
}

function checkTake(heist, seat, color, stars, from) {
	const chips = heist.chips[heist.round - 1];
	if (stars > heist.players)
		throw new Refusal(404, 'no_such_chip',
			'There are as many stars as players.');
	if (color > heist.round - 1)
		throw new Refusal(409, 'not_allowed_now',
			'The chips of this colour are not dealt yet.');
	const holder = chips[stars - 1];
	if (holder === seat)
		throw new Refusal(409, 'chip_already_held',
			'You hold this chip.');
	if (from !== undefined && holder !== seatFrom(from))
		throw new Refusal(409, 'chip_moved', 'The chip is elsewhere.');
}

function replayData(verb, seat, color, stars, from) {
	const args = [color, stars, seatFrom(from)];
	// Zeros at the end are not written.
	while (args.at(-1) === 0)
		args.pop();
	return Buffer.of(REPLAY_FORMAT, verb, seat, args.length, ...args);
}

// Take a chip: changes the state, and returns the events.
function take(heist, seat, color, stars, from) {
	checkTake(heist, seat, color, stars, from);
	const chips = heist.chips[color];
	const held = chips.indexOf(seat);
	const events = [];
	if (held >= 0) {
		events.push({ type: EVENT_CHIP_RETURNED,
			data: Buffer.of(held + 1) });
		chips[held] = CENTER;
	}
	events.push({ type: EVENT_CHIP_TAKEN,
		data: Buffer.of(stars, chips[stars - 1]) });
	chips[stars - 1] = seat;
	if (!chips.includes(CENTER))
		throw new Refusal(501, 'not_implemented',
			'This service plays the white round alone.');
	events[0].replay = replayData(VERB_TAKE, seat, color, stars, from);
	return events;
}

// Two pocket cards, which is all that a seat has before the flop.
function hand(pocket) {
	const [low, high] = [...pocket].sort((a, b) => a - b);
	const pair = low >> 2 === high >> 2;
	const best = pair ? [low, high] : [high, low];
	return {
		ranking: pair ? 'pair' : 'high_card',
		best_five: best.map((card) => CARDS[card]),
	};
}

function chipViews(heist) {
	const views = [];
	for (let color = 0; color < heist.round; color++) {
		heist.chips[color].forEach((holder, i) => views.push({
			color: COLORS[color],
			stars: i + 1,
			seat: holder || null,
			locked: false,
			dark: false,
		}));
	}
	return views;
}

function legalActions(heist, seat, path) {
	const color = heist.round - 1;
	return Array.from(heist.chips[color], (holder, i) => {
		const verb = holder === seat ? 'return' : 'take';
		const action = `${verb}_chip`;
		const chip = { color: COLORS[color], stars: i + 1 };
		const body = verb === 'take' ? { from: holder || 'center' } : {};
		return {
			action,
			method: 'POST',
			href: `${path}/chips/${chip.color}/${chip.stars}/${verb}`,
			body,
			command: { action, ...body, ...chip },
			chip: { ...chip, holder: holder || null, dark: false },
			choose: null,
		};
	});
}

function waitingFor(heist) {
	const chips = heist.chips[heist.round - 1];
	return heist.pockets.map((_, i) => i + 1)
		.filter((seat) => !chips.includes(seat));
}

// The view that a seat may see of a game, which is a row of the database.
function view(game, heist, seat) {
	const path = `/v1/games/${game.game_id}`;
	const pocket = heist.pockets[seat - 1];
	return {
		id: game.game_id,
		ruleset: 'the_gang',
		mode: game.mode,
		round_end: 'at_once',
		version: game.version,
		status: game.status,
		visibility: game.is_public ? 'public' : 'private',
		spectators: game.spectators,
		absence_seconds: game.absence_seconds || null,
		seats: game.seats_max,
		created_at: game.created_at,
		updated_at: game.updated_at,
		players: game.players.map(({ seat, name, avatar }) => ({
			seat,
			name,
			avatar,
			host: seat === game.host,
			vacant: false,
			bot: null,
		})),
		vaults: { gold: heist.gold, needed: 3 },
		alarms: { red: heist.red, limit: 3 },
		stacks: { challenges: null, specialists: null },
		heist: {
			number: heist.number,
			phase: 'chips',
			outcome: null,
			round: heist.round,
			color: COLORS[heist.round - 1],
			community_cards: [],
			chips: chipViews(heist),
			challenges: [],
			specialist: null,
			announcements: [],
			confirmed: [],
			waiting_for: waitingFor(heist),
			showdown: null,
		},
		you: {
			seat,
			pocket_cards: Array.from(pocket, (card) => CARDS[card]),
			...hand(pocket),
			former_pocket_cards: [],
			shown_cards: [],
			choice_due: null,
			legal_actions: legalActions(heist, seat, path),
		},
		rematch: null,
		rematch_of: null,
	};
}

module.exports = { COLORS, Refusal, decode, encode, take, view };
