/*
 * game.js - three players and three chips; a player takes any chip at any time,
 * and puts back the one that they held.
 */
'use strict';

const { INVALID_MOVE } = require('boardgame.io/core');

const PLAYERS = 3;

module.exports = {
	name: 'chips',
	minPlayers: PLAYERS,
	maxPlayers: PLAYERS,
	setup: () => ({ holders: Array(PLAYERS).fill(null) }),
	turn: { activePlayers: { all: 'chips' } },
	moves: {
		take({ G, playerID }, stars) {
			if (!(stars in G.holders) ||
			    G.holders[stars] === playerID)
				return INVALID_MOVE;
			const held = G.holders.indexOf(playerID);
			if (held >= 0)
				G.holders[held] = null;
			G.holders[stars] = playerID;
		},
	},
};
