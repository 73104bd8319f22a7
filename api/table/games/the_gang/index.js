// index.js - the table of The Gang: the others above, the cards and the free chips
// in the middle, the reader's hand below.
import { card, place } from "../../drawings.js";
import { chipPlace, score } from "./drawings.js";
import { h } from "../../dom.js";
import { abilityPanel, conditions, privateChoice } from "./ability.js";
import { chip, onDigit } from "./chips.js";
import { endPanel } from "./end.js";
import { oldChips, otherSeat, othersOf, slotOf } from "./seats.js";
import { heldBack, nextHeist, scoreOf, showdown } from "./showdown.js";
import { logOf } from "../../history.js";
import { topBar } from "../../menu.js";
import { modes, nameOf, rankings, wordOf } from "../../rules.js";
import { listOf, t } from "../../text.js";
import { choice } from "../../fields.js";
import { register } from "../../games.js";
import { toast } from "../../status.js";
import { entranceArt } from "./drawings.js";
import { openHistory } from "./history.js";

const ROUNDS = ["pre_flop", "flop", "turn", "river"];
const BOARD = 5;

function table(game, last) {
	const { heist } = game.view;
	game.onKey = (event) => onDigit(game, event);
	const isOver = heist.showdown !== null || heist.phase === "over";
	return [topBar(game, title(game), score(scoreOf(game))),
		h("main", { class: `gang ${isOver ? "over" : "chips"}`, key: "gang" },
			conditions(game),
			isOver ? showdown(game, last) : [
				h("ul", { class: `others n${othersOf(game).length}`,
					"aria-label": t("other_players") },
				othersOf(game).map((player) => otherSeat(game, player))),
				privateChoice(game) ?? middle(game),
				abilityPanel(game),
				game.you && mine(game)],
			endPanel(game), nextHeist(game)),
		h("aside", { class: "side", key: "side", "aria-label": t("moves") },
			h("h2", {}, t("moves")), logOf(game, 40, heldBack(game))),
	];
}

const title = ({ view: { heist } }) => h("h1", { class: "heist-title" },
	t("heist", { number: heist.number }),
	h("small", {}, heist.phase === "over" || heist.showdown ?
		wordOf("showdown") : wordOf(ROUNDS[heist.round - 1])));

/** The cards on the table, and the chips without a holder. */
function middle(game) {
	const { heist } = game.view;
	const best = isFull(game) ? game.you.best_five : [];
	const free = heist.chips.filter(({ color, seat }) =>
		color === heist.color && seat === null);
	const all = heist.chips.filter(({ color }) => color === heist.color);
	return h("section", { class: "middle", key: "middle" },
		h("div", { class: "board", role: "group",
			"aria-label": wordOf("community_cards") },
		Array.from({ length: BOARD }, (_, at) => {
			const code = heist.community_cards[at];
			return code ? card(code, best.includes(code) ? "best" : "",
				`${heist.number}${code}`) : place(`place${at}`);
		})),
		h("div", { class: "tray", "data-aim": "center", role: "group",
			"aria-label": t("centre") },
		all.map((each) => free.includes(each) ? chip(game, each) :
			h("span", { class: "chip gone", key: `gone${each.stars}` },
				chipPlace(each.color)))),
		h("p", { class: "hint", key: "hint" }, hint(game)));
}

const isFull = ({ you }) => you?.best_five.length === 5;

/** One sentence about what the table waits for. */
function hint(game) {
	const { heist } = game.view;
	if (game.legal("confirm_round").length > 0)
		return t("confirm_or_change");
	const others = heist.waiting_for.filter((seat) => seat !== game.you?.seat)
		.map((seat) => game.nameAt(seat));
	if (heist.phase === "chips" && game.legal("take_chip").length > 0 &&
		heist.waiting_for.includes(game.you?.seat))
		return heist.specialist?.state === "proposed" ? t("vote_or_take") :
			t("take_a_chip");
	return others.length > 0 ? t("waiting_for", { names: listOf(others) }) : "";
}

/** The reader's cards, hand and chips. */
function mine(game) {
	const { view: { heist }, you } = game;
	const best = isFull(game) ? you.best_five : [];
	return h("section", { class: "mine", key: "mine", "data-aim": "mine",
		"aria-label": t("your_hand") },
	h("div", { class: "pocket" }, you.pocket_cards.map((code) =>
		card(code, best.includes(code) ? "best" : "", `${heist.number}${code}`))),
	h("div", { class: "about" },
		h("p", { class: "ranking", "aria-live": "polite" },
			you.ranking ? nameOf("rankings", you.ranking) : ""),
		oldChips(game, you.seat),
		extraCards(game)),
	h("div", { class: "my-chip" }, slotOf(game, you.seat),
		confirmButton(game)));
}

/** Cards that a specialist announced to the reader. */
function extraCards(game) {
	const { former_pocket_cards: former, shown_cards: shown } = game.you;
	return [former.length > 0 && h("p", { class: "extra" }, t("former_cards"),
		former.map((code) => card(code, "small"))),
	shown.map(({ seat, card: code }) => h("p", { class: "extra", key: code },
		t("shown_by", { name: game.nameAt(seat) }), card(code, "small")))];
}

function confirmButton(game) {
	const [confirm] = game.legal("confirm_round");
	return confirm && h("button", { class: "primary",
		onclick: () => game.act(confirm.command) },
	nameOf("actions", "confirm_round"));
}

const numbers = (from, to) => Array.from({ length: to - from + 1 },
	(_, at) => ({ value: from + at, label: `${from + at}` }));

const fields = (wanted, set) => [
	choice("mode", t("mode"), modes().map(({ code, name, text }) =>
		({ value: code, label: name, text })), wanted.mode, set("mode")),
	choice("seats", t("seats"), numbers(3, 6), wanted.seats, set("seats")),
];

const moreFields = (wanted, set) => [
	choice("round_end", t("round_end"), ["at_once", "confirmed"].map(
		(value) => ({ value, label: t(`end_${value}`),
			text: t(`end_${value}_text`) })),
	wanted.round_end, set("round_end")),
	wanted.mode !== "basic" && choice("stacks", t("stacks"),
		["numbered", "shuffled"].map((value) => ({ value,
			label: t(`stacks_${value}`), text: t(`stacks_${value}_text`) })),
		wanted.stacks, set("stacks")),
];

/** A chip that was taken from the reader is not to be missed. */
function onNews(entries, mine) {
	const robbery = entries.findLast(({ type, data }) => mine &&
		type === "chip_taken" && data.from === mine);
	if (robbery?.text)
		toast(robbery.text);
}

/** The text of a member of an event or a view, for a sentence. */
function valueOf(name, value) {
	if (name === "color")
		return wordOf(value);
	if (name === "ranking")
		return nameOf("rankings", value);
	if (name === "challenge" || name === "question")
		return nameOf("challenges", value);
	if (name === "code")
		return nameOf("specialists", value);
	return rankings().find(({ code }) => code === value)?.name;
}

register("the_gang", {
	place: 1,
	table,
	isAwaited: ({ heist, you }) => heist?.waiting_for.includes(you.seat),
	partOf: ({ heist }) => heist?.number,
	onNews,
	valueOf,
	lists: ["modes", "challenges", "specialists", "rankings"],
	notices: ["heist_started", "heist_succeeded", "heist_failed"],
	menu: [[() => t("history"), openHistory]],
	moreGuide: () => [h("h3", {}, t("rankings")),
		h("dl", {}, rankings().map(({ name, text }) =>
			[h("dt", {}, name), h("dd", {}, text)]))],
	seats: 4,
	options: { mode: "basic", round_end: "at_once", stacks: "numbered" },
	fields,
	moreFields,
	bodyOf: ({ mode, round_end, stacks, seats }) => ({ mode, round_end, seats,
		...mode !== "basic" && { stacks } }),
	entranceArt,
});
