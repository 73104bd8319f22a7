// games.js - the games that the page knows, by the code of their ruleset.  Each
// module games/CODE/index.js registers its own before the page begins (assets.py).
// README.md says what a game has.
const games = new Map();

export const register = (code, game) => games.set(code, { code, ...game });

/** A game; of a ruleset that the page does not know, one without anything. */
export const gameOf = (code) => games.get(code) ?? {};

/** All of them, in the order of the form for a new game. */
export const allGames = () =>
	[...games.values()].sort((one, other) => one.place - other.place);
