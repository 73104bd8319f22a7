/*
 * The chips of gangd's games: the part of a state that the white round needs,
 * since the comparison is made there.  The bytes are those of
 * internal/gang/gang_codec.c.
 */
'use strict';

const COLORS = ['white', 'yellow', 'orange', 'red'];
const CARDS = [...'23456789TJQKA'].flatMap((rank) =>
	[...'cdhs'].map((suit) => rank + suit));

const FORMAT = 2; // of a state, and of what is sealed
const KEY_NONE = 0;
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

// The heist of a state; its chips are holders by stars, and patched in place.
// In the basic mode the stacks are empty, and the bytes of cards are absent.
function decode(state) {
	const players = state[4];
	if (state[0] !== FORMAT || state[1] !== KEY_NONE ||
	    state[2] !== MODE_BASIC)
		throw new Error('the state is damaged');
	if (players === 0)
		throw new Refusal(409, 'game_not_started',
			'The game has not started.');
	let at = 23;
	const cards = () => {
		const run = state.subarray(at + 1, at + 1 + state[at]);
		at += 1 + run.length;
		return run;
	};
	const heist = {
		players,
		gold: state[13],
		red: state[14],
		number: state[15],
		round: state[16],
		outcome: state[17],
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

function sealed(verb, seat, color, stars, from) {
	const args = [color, stars, seatFrom(from)];
	// Zeros at the end are not written.
	while (args.at(-1) === 0)
		args.pop();
	return Buffer.of(FORMAT, KEY_NONE, verb, seat, args.length, ...args);
}

// Take a chip: changes the state, and returns the events.
function take(heist, seat, color, stars, from) {
	checkTake(heist, seat, color, stars, from);
	const chips = heist.chips[color];
	const held = chips.indexOf(seat);
	const events = [];
	if (held >= 0) {
		events.push({ type: EVENT_CHIP_RETURNED,
			open: Buffer.of(held + 1) });
		chips[held] = CENTER;
	}
	events.push({ type: EVENT_CHIP_TAKEN,
		open: Buffer.of(stars, chips[stars - 1]) });
	chips[stars - 1] = seat;
	if (!chips.includes(CENTER))
		throw new Refusal(501, 'not_implemented',
			'This service plays the white round alone.');
	events[0].sealed = sealed(VERB_TAKE, seat, color, stars, from);
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
		}));
	}
	return views;
}

function legalActions(heist, seat, path) {
	const color = heist.round - 1;
	return Array.from(heist.chips[color], (holder, i) => {
		const verb = holder === seat ? 'return' : 'take';
		return {
			action: `${verb}_chip`,
			method: 'POST',
			href: `${path}/chips/${COLORS[color]}/${i + 1}/${verb}`,
			body: null,
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
		version: game.version,
		status: game.status,
		visibility: game.is_public ? 'public' : 'private',
		spectators: game.spectators,
		seats: game.seats_max,
		created_at: game.created_at,
		updated_at: game.updated_at,
		players: game.names.split('\n').map((name, i) => ({
			seat: i + 1,
			name,
			host: i + 1 === game.host,
			vacant: false,
		})),
		vaults: { gold: heist.gold, needed: 3 },
		alarms: { red: heist.red, limit: 3 },
		stacks: { challenges: null, specialists: null },
		heist: {
			number: heist.number,
			phase: 'chips',
			round: heist.round,
			color: COLORS[heist.round - 1],
			community_cards: [],
			chips: chipViews(heist),
			challenges: [],
			specialist: null,
			announcements: [],
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

module.exports = { COLORS, Refusal, decode, take, view };
