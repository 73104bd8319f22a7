// history.js - what happened: the ended heists, and the last moves in sentences.
import { h } from "./dom.js";
import { revealRow } from "./gang_showdown.js";
import { alarm, vault } from "./drawings.js";
import { nameOf } from "./rules.js";
import { openSheet } from "./sheet.js";
import { tellError } from "./status.js";
import { t } from "./text.js";

const SHOWN = 60;

/** The last moves, the newest first, but for those of some types. */
export const logOf = (game, count = SHOWN, without = []) => h("ol", { class: "log" },
	game.log.slice(-count).filter(({ type, text }) => text &&
		!without.includes(type))
		.reverse().map(({ version, text, seat }) =>
		h("li", { key: version }, h("span", { class: `dot seat-${seat ?? 0}` }),
			h("span", {}, text))));

export async function openHistory(game) {
	let heists = [];
	const { draw } = openSheet(() => t("history"), () => [
		heists.map((heist) => summary(game, heist)).reverse(),
		h("h3", {}, t("moves")), logOf(game)]);
	try {
		({ heists } = await game.seat.request("GET", "/heists"));
		draw();
	} catch (error) {
		tellError(error);
	}
}

function summary(game, heist) {
	const { number, showdown, challenges, specialist } = heist;
	const cards = [...challenges.map(({ code }) => nameOf("challenges", code)),
		specialist && nameOf("specialists", specialist.code)].filter(Boolean);
	const outcome = showdown?.outcome;
	return h("details", { class: "heist", key: number },
		h("summary", {}, outcome === "succeeded" ? vault(true) :
			alarm(outcome === "failed"),
		h("strong", {}, t("heist", { number })), " ",
		h("small", {}, t(`outcome_${outcome ?? "abandoned"}`))),
		cards.length > 0 && h("p", { class: "quiet" }, cards.join(", ")),
		h("ol", { class: "reveals" }, (showdown?.reveals ?? []).map((_, at) =>
			revealRow(game, showdown.reveals, at))));
}
