// index.js - the table of Famiglia: the other player above, the street, the
// reader's display and hand below.  A tap on a card shows what can be done with it.
import { back, face } from "../../drawings.js";
import { h } from "../../dom.js";
import { gangster, gangsterName, isGangster, sorted } from "./cards.js";
import { famigliaEnd } from "./end.js";
import { isChosen, movesOf, tapOf, turnPanel } from "./turn.js";
import { logOf } from "../../history.js";
import { topBar } from "../../menu.js";
import { wordOf } from "../../rules.js";
import { register } from "../../games.js";
import { t } from "../../text.js";

function famigliaTable(game) {
	const { table } = game.view;
	const mine = game.you?.seat;
	const others = table.sides.filter(({ seat }) => seat !== mine);
	return [topBar(game, h("h1", { class: "heist-title" }, t("famiglia"),
		h("small", {}, turnText(table)))),
	h("main", { class: "gang famiglia", key: "famiglia" },
		table.result && famigliaEnd(game),
		others.map((side) => sideOf(game, side)),
		street(game),
		mine && sideOf(game, table.sides[mine - 1]),
		!table.result && turnPanel(game)),
	h("aside", { class: "side", key: "side", "aria-label": t("moves") },
		h("h2", {}, t("moves")), logOf(game, 40)),
	];
}

/** "Turn 12", and whether the end is near. */
const turnText = ({ turn, last_turn: last }) => [t("turn", { number: turn }),
	last && t("last_turn", { number: last })].filter(Boolean).join(" · ");

const pile = (code, count) => h("span", { class: "pile", key: code },
	count > 0 && back(code), h("b", {}, count), h("small", {}, wordOf(code)));

function street(game) {
	const { table } = game.view;
	return h("section", { class: "middle street", key: "street",
		"aria-label": wordOf("street") },
	h("div", { class: "gangsters" }, table.street.map(
		({ card, effective_rank: rank }) => gangster(card, { rank,
			onTap: tapOf(game, card), isOn: isChosen(game, card),
			marks: game.legal("take").some(({ command }) =>
				command.card === card) ? "free" : "" }))),
	h("div", { class: "piles" }, pile("draw_pile", table.draw_pile),
		pile("discard_pile", table.discard_pile)));
}

/** A player's cards; a hidden hand is a number of backs. */
function sideOf(game, side) {
	const { table } = game.view;
	const player = game.playerAt(side.seat);
	const isMine = side.seat === game.you?.seat;
	const shown = isMine ? game.you.hand : table.result?.scores
		.find(({ seat }) => seat === side.seat)?.hand;
	const points = isMine ? game.you.points : side.display_points;
	return h("section", { key: `side${side.seat}`,
		class: `family-side${table.seat_to_move === side.seat ? " turn" : ""}` },
	h("p", { class: "who" }, face(player),
		h("strong", { class: "name" }, game.nameAt(side.seat)),
		table.seat_to_move === side.seat &&
			h("span", { class: "tag" }, isMine ? t("your_turn") : t("to_move")),
		h("span", { class: "points" }, t(isMine ? "points" : "points_shown",
			{ count: points }))),
	h("div", { class: "gangsters held", role: "group",
		"aria-label": wordOf("hand") },
	shown ? sorted(shown).map((code) => gangster(code, {
		onTap: tapOf(game, code), isOn: isChosen(game, code),
		marks: movesOf(game, code).length > 0 ? "free" : "" })) :
		[Array.from({ length: side.hand }, (_, at) => back(`back${at}`)),
			h("span", { class: "unseen" },
				t("cards_held", { count: side.hand }))]),
	side.display.length > 0 && h("div", { class: "display" },
		h("small", { "aria-hidden": "true" }, wordOf("display")),
		h("div", { role: "group", "aria-label": wordOf("display"),
			class: `gangsters small${isMine && game.ui.take ? " open" : ""}` }, sorted(side.display).map((code) =>
			gangster(code, isMine ? { onTap: tapOf(game, code),
				isOn: isChosen(game, code) } : {})))));
}

register("famiglia", {
	place: 2,
	table: famigliaTable,
	isAwaited: ({ table, you }) => table?.seat_to_move === you.seat,
	valueOf: (name, value) => isGangster(value) ? gangsterName(value) : undefined,
	lists: ["families"],
	needsPlayers: () => t("need_other_player"),
	seats: 2,
});
