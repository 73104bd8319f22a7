/*
 * The schemas by which Fastify checks requests and prints responses.
 */
'use strict';

const { COLORS } = require('./game.js');

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const nothing = { type: 'null' };
const time = { type: 'string', format: 'date-time' };
const list = (items) => ({ type: 'array', items });
const object = (properties) => ({ type: 'object', properties });
const orNull = (type) => ({ type: [type, 'null'] });

const params = object({
	game_id: { type: 'string', format: 'uuid' },
	color: { enum: COLORS },
	stars: { type: 'integer', minimum: 1, maximum: 6 },
});

const takeBody = {
	type: ['object', 'null'],
	additionalProperties: false,
	properties: {
		from: { anyOf: [
			{ const: 'center' },
			{ type: 'integer', minimum: 1, maximum: 6 },
		] },
	},
};

// Where a chip lies, as it is printed.
const from = { type: ['integer', 'string'] };

const heist = object({
	number: integer,
	phase: string,
	outcome: nothing,
	round: integer,
	color: string,
	community_cards: list(string),
	chips: list(object({
		color: string,
		stars: integer,
		seat: orNull('integer'),
		locked: boolean,
		dark: boolean,
	})),
	challenges: list(string),
	specialist: nothing,
	announcements: list(string),
	confirmed: list(integer),
	waiting_for: list(integer),
	showdown: nothing,
});

const you = object({
	seat: integer,
	pocket_cards: list(string),
	ranking: string,
	best_five: list(string),
	former_pocket_cards: list(string),
	shown_cards: list(string),
	choice_due: nothing,
	legal_actions: list(object({
		action: string,
		method: string,
		href: string,
		body: object({ from }),
		command: object({
			action: string,
			from,
			color: string,
			stars: integer,
		}),
		chip: object({
			color: string,
			stars: integer,
			holder: orNull('integer'),
			dark: boolean,
		}),
		choose: nothing,
	})),
});

const view = object({
	id: string,
	ruleset: string,
	mode: string,
	round_end: string,
	version: integer,
	status: string,
	visibility: string,
	spectators: boolean,
	absence_seconds: orNull('integer'),
	seats: integer,
	created_at: time,
	updated_at: time,
	players: list(object({
		seat: integer,
		name: string,
		avatar: orNull('string'),
		host: boolean,
		vacant: boolean,
		bot: nothing,
	})),
	vaults: object({ gold: integer, needed: integer }),
	alarms: object({ red: integer, limit: integer }),
	stacks: object({ challenges: nothing, specialists: nothing }),
	heist,
	you,
	rematch: nothing,
	rematch_of: nothing,
});

module.exports = { params, takeBody, view };
