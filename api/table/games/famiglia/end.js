// end.js - the end of a game of Famiglia: the score, why, and the rematch.
import { h } from "../../dom.js";
import { nameOf, sentence } from "../../rules.js";
import { t } from "../../text.js";

export function famigliaEnd(game) {
	const { view } = game;
	const { reason, winner, decided_by: decided, scores } = view.table.result;
	const [move] = game.legal("rematch");
	return h("section", { class: "ending", key: "ending" },
		h("h2", {}, winner ? t("wins", { name: game.nameAt(winner) }) :
			t("draw")),
		h("p", {}, sentence("reason", reason, view.ruleset, { seat: winner },
			(seat) => game.nameAt(seat)), decided === "cards" &&
			` ${t("decided_by_cards")}`),
		scores.length > 0 && h("ol", { class: "rows" }, scores.map(
			({ seat, points }) => h("li", { class: "row", key: seat },
				h("strong", { class: "grow" }, game.nameAt(seat)),
				h("span", {}, t("points", { count: points }))))),
		view.rematch ? h("button", { class: "primary big",
			onclick: () => game.enterRematch({ ...view, id: view.rematch.id,
				status: "lobby" }) }, t("to_rematch")) :
			move && h("button", { class: "primary big",
				onclick: () => game.act(move.command) },
			nameOf("actions", "rematch")),
		h("a", { class: "button", href: "#/" }, t("to_entrance")));
}
