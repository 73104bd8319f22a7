// history.js - the last moves, in sentences.
import { h } from "./dom.js";

const SHOWN = 60;

/** The last moves, the newest first, but for those of some types. */
export const logOf = (game, count = SHOWN, without = []) => h("ol", { class: "log" },
	game.log.slice(-count).filter(({ type, text }) => text &&
		!without.includes(type))
		.reverse().map(({ version, text, seat }) =>
		h("li", { key: version }, h("span", { class: `dot seat-${seat ?? 0}` }),
			h("span", {}, text))));
