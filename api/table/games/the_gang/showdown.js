// showdown.js - the showdown: the hands one after the other, from the fewest
// red stars on, and why each is in order or not; questions; the outcome.
import { back, card, icon, rankOf } from "../../drawings.js";
import { alarm, chipArt, vault } from "./drawings.js";
import { h } from "../../dom.js";
import { nameOf, sentence } from "../../rules.js";
import { listOf, t } from "../../text.js";

const STEP_MS = 1500;

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

export function showdown(game, last) {
	const { heist } = game.view;
	const reveals = heist.showdown?.reveals ?? [];
	const shown = step(game, reveals.length, last);
	const isEnd = shown >= reveals.length;
	return h("section", { class: "showdown", key: "showdown" },
		h("div", { class: "board small" }, heist.community_cards.map((code) =>
			card(code, "", `${heist.number}${code}`))),
		h("ol", { class: "reveals", "aria-live": "polite" },
			reveals.slice(0, shown).map((_, at) => revealRow(game, reveals, at)),
			heldChips(heist).slice(shown).map((chip) => hiddenRow(game, chip))),
		!isEnd && h("button", { class: "skip", onclick: () => {
			game.ui.shown = reveals.length;
			game.draw();
		} }, t("show_all")),
		isEnd && (heist.showdown?.questions ?? []).map((question) =>
			questionPanel(game, question)),
		isEnd && heist.outcome && outcome(game));
}

/** The red chips of a showdown, in the order in which their holders reveal. */
const heldChips = ({ showdown: isThere, chips }) => !isThere ? [] :
	chips.filter(({ color, seat }) => color === "red" && seat !== null)
		.sort((one, other) => one.stars - other.stars);

/** A hand that is not yet shown. */
const hiddenRow = (game, { seat, stars }) =>
	h("li", { class: "reveal hidden", key: seat },
		h("span", { class: "chip still" }, chipArt({ color: "red", stars })),
		h("strong", { class: "grow" }, game.nameAt(seat)),
		h("span", { class: "hand" }, back("one"), back("two")));

/** How many hands are shown: one more after each pause, if they come live. */
function step(game, count, last) {
	const { ui } = game;
	if (ui.shown === undefined) {
		const isLive = last?.status === "playing" && !last.heist.showdown;
		ui.shown = isLive && !isCalm.matches ? 0 : count;
	}
	if (ui.shown < count && !ui.timer) {
		ui.timer = setTimeout(() => {
			ui.timer = undefined;
			ui.shown += isCalm.matches ? count : 1;
			game.draw();
			game.root.querySelector(ui.shown < count ?
				".reveal.hidden" : ".outcome, .proposal")
				?.scrollIntoView({ block: "nearest", behavior: "smooth" });
		}, STEP_MS);
	}
	return ui.shown;
}

/** Whether all hands of the showdown have been shown. */
export const isShown = ({ ui, view: { heist } }) =>
	(ui.shown ?? 0) >= (heist.showdown?.reveals.length ?? 0);

/** The events that would reveal the end of a showdown that is being shown. */
export const heldBack = (game) => isShown(game) ? [] :
	["hand_revealed", "question_judged", "heist_ended", "game_ended"];

/** The vaults and alarms, without that of a showdown that is being shown. */
export function scoreOf(game) {
	const { view: { vaults, alarms, heist } } = game;
	const isLater = (outcome) => !isShown(game) && heist.outcome === outcome;
	return {
		vaults: { ...vaults, gold: vaults.gold - isLater("succeeded") },
		alarms: { ...alarms, red: alarms.red - isLater("failed") },
	};
}

/** A hand: its best five, with the cards of the pocket marked, and the pocket
 * cards that are not among them. */
export function revealRow(game, reveals, at) {
	const { seat, stars, pocket_cards: pocket, best_five: best, ranking,
		in_order: isRight } = reveals[at];
	const name = game.nameAt(seat);
	return h("li", { class: `reveal ${isRight ? "right" : "wrong"}`, key: seat },
		h("span", { class: "chip still" }, chipArt({ color: "red", stars })),
		h("span", { class: "grow" },
			h("strong", {}, name, seat === game.you?.seat &&
				h("small", {}, ` ${t("its_you")}`)),
			h("span", { class: "ranking" }, nameOf("rankings", ranking))),
		h("span", { class: "verdict", role: "img",
			"aria-label": t(isRight ? "in_order" : "not_in_order") },
		icon(isRight ? "check" : "cross")),
		h("span", { class: "hand" },
			best.map((code) => card(code, pocket.includes(code) ? "own" : "")),
			pocket.filter((code) => !best.includes(code)).map((code) =>
				card(code, "own unused"))),
		h("p", { class: "why" }, reasonOf(game, reveals, at)));
}

/** Why a hand is above or below the strongest one before it. */
function reasonOf(game, reveals, at) {
	const strongest = reveals.slice(0, at).filter(({ in_order: is }) => is).pop();
	const mine = reveals[at];
	if (!strongest)
		return t("weakest_first");
	const name = game.nameAt(strongest.seat);
	const side = mine.in_order ? "above" : "below";
	if (mine.ranking !== strongest.ranking)
		return t(`ranking_${side}`, { name,
			other: nameOf("rankings", strongest.ranking),
			ranking: nameOf("rankings", mine.ranking) });
	if (hasMuscle(game, mine.seat) || hasMuscle(game, strongest.seat))
		return t(`muscle_${side}`, { name });
	const differs = mine.best_five.findIndex((code, place) =>
		code[0] !== strongest.best_five[place][0]);
	return differs < 0 ? t("true_tie", { name }) : t(`card_${side}`, { name,
		rank: rankOf(mine.best_five[differs][0]),
		other: rankOf(strongest.best_five[differs][0]) });
}

const hasMuscle = ({ view: { heist } }, seat) => heist.announcements.some((each) =>
	each.code === "muscle" && each.seat === seat);

// --- questions -----------------------------------------------------------------

const answerName = (value) => nameOf("rankings", value) === value ?
	t(`rank_${value}`) : nameOf("rankings", value);

function questionPanel(game, question) {
	const { code, about_seat: about, answers, agreed, right } = question;
	const move = game.legal("answer").find(({ command }) =>
		command.question === code);
	return h("div", { class: "proposal", key: code },
		h("p", {}, sentence("question", code, "the_gang", { about_seat: about },
			(seat) => game.nameAt(seat))),
		agreed === null ? h("p", { class: "quiet" }, answers.map(({ seat, value }) =>
			h("span", { class: "tag", key: seat },
				`${game.nameAt(seat)}: ${answerName(value)}`))) :
			h("p", {}, h("strong", {}, answerName(agreed)), right !== null &&
				[" ", icon(right ? "check" : "cross"),
					t(right ? "answer_right" : "answer_wrong")]),
		move && h("div", { class: "options answers" },
			move.choose.value.options.map((value) => h("button", { key: value,
				onclick: () => game.act({ ...move.command, value }) },
			answerName(value)))));
}

// --- the outcome ---------------------------------------------------------------

function outcome(game) {
	const { heist } = game.view;
	const wrong = heist.showdown?.questions.filter(({ right }) => right === false) ??
		[];
	return h("div", { class: `outcome ${heist.outcome}`, key: "outcome" },
		heist.outcome === "succeeded" ? vault(true) :
			heist.outcome === "failed" && alarm(true),
		h("p", {}, sentence("outcome", heist.outcome, "the_gang", {}, String)),
		wrong.length > 0 && h("p", { class: "quiet" }, t("wrong_answers", {
			names: listOf(wrong.map(({ code }) => nameOf("challenges", code))) })));
}

/** The next step, which stays in reach below a long showdown. */
export function nextHeist(game) {
	const [next] = isShown(game) ? game.legal("next_heist") : [];
	return next && h("div", { class: "dock", key: "next" },
		h("button", { class: "primary big",
			onclick: () => game.act(next.command) },
		nameOf("actions", "next_heist")));
}
