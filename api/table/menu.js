// menu.js - the bar above a game, and what its menu opens.
import { openDevice } from "./device.js";
import { h } from "./dom.js";
import { icon } from "./drawings.js";
import { languageChoice } from "./fields.js";
import { openWatching } from "./invite.js";
import { openPeople, openSelf } from "./people.js";
import { pushSwitch } from "./push.js";
import { guideOf, loadGuide } from "./rules.js";
import { openSheet } from "./sheet.js";
import { tellError } from "./status.js";
import { t } from "./text.js";

/** The way back, a title, the elements next to it, and the menu. */
export const topBar = (game, title, ...beside) =>
	h("header", { class: "bar", key: "bar" },
		h("a", { class: "icon", href: "#/", "aria-label": t("to_entrance"),
			title: t("to_entrance") }, icon("back")),
		h("div", { class: "grow" }, title), beside,
		h("button", { class: "icon", "aria-label": t("menu"), title: t("menu"),
			onclick: () => openMenu(game) }, icon("menu")));

function openMenu(game) {
	const item = (text, open) => (close) => h("button", { onclick: () => {
		close();
		open(game);
	} }, text);
	const items = () => [item(t("people"), openPeople),
		...(game.rules.menu ?? []).map(([text, open]) => item(text(), open)),
		item(t("rules"), openGuide),
		game.you && item(t("change_self"), openSelf),
		game.view.spectators && item(t("let_watch"), openWatching),
		game.you && item(t("other_device"), openDevice)].filter(Boolean);
	game.sheet = openSheet(() => t("menu"), (close) => h("div", { class: "stack" },
		items().map((draw) => draw(close)),
		pushSwitch(game),
		h("a", { class: "button", href: "#/", onclick: close },
			t("to_entrance")), languageChoice()));
}

/** The guide to the rules, from the service. */
export async function openGuide(game) {
	const { draw } = openSheet(() => t("rules"), () => h("div", { class: "prose" },
		guideOf(game.view.ruleset).map(({ title, text }) => [
			h("h3", {}, title), text.map((part) => h("p", {}, part))]),
		game.rules.moreGuide?.()));
	await loadGuide().then(draw, tellError);
}
