// history.js - the ended heists, and the last moves.
import { h } from "../../dom.js";
import { logOf } from "../../history.js";
import { nameOf } from "../../rules.js";
import { openSheet } from "../../sheet.js";
import { tellError } from "../../status.js";
import { t } from "../../text.js";
import { alarm, vault } from "./drawings.js";
import { revealRow } from "./showdown.js";

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
