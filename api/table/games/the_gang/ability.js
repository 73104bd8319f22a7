// ability.js - challenges and specialists: which are active and what they say,
// proposing a specialist's use, voting, and private choices.
import { card, icon } from "../../drawings.js";
import { h } from "../../dom.js";
import { openProposal } from "./propose.js";
import { nameOf, sentence, textOf } from "../../rules.js";
import { listOf, t } from "../../text.js";

/** The active cards as buttons; one shows its text. */
export function conditions(game) {
	const { ui, view: { heist } } = game;
	const cards = [
		...heist.challenges.map(({ code }) => ["challenges", code]),
		...heist.specialist ? [["specialists", heist.specialist.code]] : []];
	const open = cards.find(([, code]) => code === ui.condition);
	const show = (code) => () => {
		ui.condition = ui.condition === code ? undefined : code;
		game.draw();
	};
	return cards.length > 0 && h("section", { class: "conditions", key: "cards" },
		h("div", { class: "pills" }, cards.map(([part, code]) =>
			h("button", { key: code, class: `pill ${part}`,
				"aria-expanded": `${ui.condition === code}`,
				onclick: show(code) },
			h("span", { class: "mark", "aria-hidden": "true" },
				part === "challenges" ? "!" : "★"), nameOf(part, code)))),
		open && h("p", { class: "condition-text" }, textOf(...open)));
}

/** A specialist's questions to all players, and its announcements. */
export function abilityPanel(game) {
	const parts = [proposal(game), proposeButton(game), told(game)]
		.filter(Boolean);
	return parts.length > 0 && h("section", { class: "ability", key: "ability" },
		parts);
}

/** Counts as tags, by player; all else as sentences. */
function told(game) {
	const { announcements } = game.view.heist;
	const sentenceOf = (each) => sentence("announcement", each.code, "the_gang",
		each, (seat) => game.nameAt(seat));
	const isCount = ({ count, value }) => count !== null && value === null;
	const counts = announcements.filter(isCount);
	return announcements.length > 0 && h("div", { class: "told", key: "told" },
		counts.length > 0 && h("p", { class: "tags" }, counts.map((each) =>
			h("span", { class: "tag", key: each.seat, title: sentenceOf(each) },
				`${game.nameAt(each.seat)} `, h("b", {}, each.count)))),
		announcements.filter((each) => !isCount(each)).map((each, at) =>
			h("p", { key: at }, sentenceOf(each))));
}

// --- proposing and voting ------------------------------------------------------

function proposal(game) {
	const { specialist } = game.view.heist;
	const asked = specialist?.proposal;
	if (!asked)
		return null;
	const [vote] = game.legal("vote");
	const whom = [asked.seat && game.nameAt(asked.seat),
		asked.target_seat && game.nameAt(asked.target_seat),
		asked.value && t(`rank_${asked.value}`)].filter(Boolean).join(" → ");
	return h("div", { class: "proposal", key: "proposal" },
		h("p", {}, h("strong", {}, t("proposes", { name: game.nameAt(asked.by),
			specialist: nameOf("specialists", specialist.code) }))),
		h("p", {}, whom),
		h("p", { class: "quiet" }, t("agreed", { names:
			listOf(asked.agreed.map((seat) => game.nameAt(seat))) })),
		vote && h("div", { class: "pair" }, vote.choose.agree.options.map((agree) =>
			h("button", { key: agree, class: agree ? "primary" : "",
				onclick: () => game.act({ ...vote.command, agree }) },
			icon(agree ? "check" : "cross"), t(agree ? "agree" : "refuse")))));
}

const proposeButton = (game) => game.legal("propose").length > 0 &&
	h("button", { key: "form", onclick: () => openProposal(game) },
		t("use_specialist", { specialist: nameOf("specialists",
			game.view.heist.specialist.code) }));

// --- private choices -----------------------------------------------------------

/** The choice that the reader must make before the game goes on. */
export function privateChoice(game) {
	const [move] = game.legal("choose");
	const due = game.you?.choice_due;
	if (!move || !due)
		return null;
	return h("section", { class: "middle due", key: "middle" },
		h("p", {}, sentence("choice", due.code, "the_gang", {}, String)),
		move.choose ? h("div", { class: "pocket" },
			move.choose.card.options.map((code) => h("button", { key: code,
				class: "plain card-button", onclick: () => game.act({ ...move.command,
					card: code }) }, card(code)))) :
			h("button", { class: "primary",
				onclick: () => game.act(move.command) }, t("i_have_looked")));
}
