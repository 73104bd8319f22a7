// end.js - the end of a game: won or lost, and the rematch.
import { h } from "../../dom.js";
import { choice } from "../../fields.js";
import { isShown } from "./showdown.js";
import { modes, nameOf, sentence } from "../../rules.js";
import { t } from "../../text.js";

export function endPanel(game) {
	const { view } = game;
	if (!["won", "lost"].includes(view.status) || !isShown(game))
		return null;
	return h("section", { class: `ending ${view.status}`, key: "ending" },
		h("h2", {}, t(view.status)),
		h("p", {}, sentence("status", view.status, view.ruleset, {}, String)),
		view.rematch ? h("button", { class: "primary big",
			onclick: () => game.enterRematch({ ...view, id: view.rematch.id,
				status: "lobby" }) }, t("to_rematch")) : rematch(game),
		h("a", { class: "button", href: "#/" }, t("to_entrance")));
}

function rematch(game) {
	const [move] = game.legal("rematch");
	const { ui, view } = game;
	const mode = ui.mode ?? view.mode;
	return move && [
		choice("rematch", t("mode"), modes().map(({ code, name }) =>
			({ value: code, label: name })), mode, (value) => {
			ui.mode = value;
			game.draw();
		}),
		h("button", { class: "primary big", onclick: () =>
			game.act({ ...move.command, mode }) }, nameOf("actions", "rematch"))];
}
