// turn.js - a turn of Famiglia.  The reader picks a card (ui.card), and is
// shown its moves: of a card in the street, to take it or to put it away; of an
// accountant or a brute in the hand, to play it.  An accountant then collects what
// is swapped (ui.give, ui.take), and a brute its target (ui.target).
import { h } from "../../dom.js";
import { gangster, gangsterIcon, gangsterName, kindOf } from "./cards.js";
import { nameOf, textOf } from "../../rules.js";
import { t } from "../../text.js";

const MOVES = ["refill", "take", "accountant", "brute"];

/** The moves of a card. */
export const movesOf = (game, card) => MOVES.flatMap((action) =>
	game.legal(action)).filter(({ command }) => command.card === card);

/** The moves of the picked card: empty after it has gone. */
const picked = (game) => game.ui.card ? movesOf(game, game.ui.card) : [];

const optionsOf = (moves, member) => moves.flatMap(({ choose }) =>
	choose?.[member]?.options ?? []);

/** The list that a card of a swap goes into, or nothing. */
function swapList({ ui }, moves, card) {
	if (!ui.give)
		return undefined;
	if (optionsOf(moves, "give").includes(card))
		return ui.give;
	return optionsOf(moves, "take").includes(card) ? ui.take : undefined;
}

export const isChosen = (game, card) => picked(game).length > 0 &&
	[game.ui.card, game.ui.target, ...game.ui.give ?? [],
		...game.ui.take ?? []].includes(card);

function pick(game, card) {
	const [move] = card ? movesOf(game, card) : [];
	const isSwap = move?.action === "accountant";
	Object.assign(game.ui, { card, target: undefined,
		give: isSwap ? [] : undefined, take: isSwap ? [] : undefined });
	game.draw();
}

/** The action of a tap on a card, or undefined. */
export function tapOf(game, card) {
	const { ui } = game;
	const moves = picked(game);
	if (moves.length === 0)
		ui.card = ui.give = ui.take = ui.target = undefined;
	if (card === ui.card)
		return () => pick(game);
	const list = swapList(game, moves, card);
	if (list)
		return () => {
			const at = list.indexOf(card);
			list.splice(at < 0 ? list.length : at, 1, ...at < 0 ? [card] : []);
			game.draw();
		};
	if (optionsOf(moves, "target").includes(card))
		return () => {
			ui.target = card;
			game.draw();
		};
	return movesOf(game, card).length > 0 ? () => pick(game, card) : undefined;
}

/** The moves that are possible now. */
export function turnPanel(game) {
	const { table } = game.view;
	const moves = picked(game);
	const [pass] = game.legal("pass");
	if (!pass)
		return table.seat_to_move && h("p", { class: "hint", key: "turn" },
			t("waiting_for", { names: game.nameAt(table.seat_to_move) }));
	return h("section", { class: "panel moves", key: "turn" },
		moves.length > 0 ? choices(game, moves) :
			[h("p", { class: "hint" }, t(game.legal("refill").length > 0 ?
				"pick_or_refill" : "pick_a_card")),
			h("button", { key: "pass", title: textOf("actions", "pass"),
				onclick: () => game.act(pass.command) },
			nameOf("actions", "pass"))]);
}

function choices(game, moves) {
	const of = (action) => moves.filter((move) => move.action === action);
	return [
		h("header", { key: "picked" }, h("strong", { class: "grow" },
			gangsterName(game.ui.card)),
		h("button", { onclick: () => pick(game) }, t("cancel"))),
		of("take").length > 0 && takes(game, of("take")),
		of("refill").map(({ command }) => h("button", { key: "refill",
			onclick: () => game.act(command) }, nameOf("actions", "refill"),
		` (+${command.card[1]})`)),
		of("accountant").length > 0 && swap(game, of("accountant")),
		of("brute").length > 0 && threat(game, of("brute"))];
}

/** A button for each way to pay; equal cards are one way. */
function takes(game, moves) {
	const [{ command, choose }] = moves;
	if (!choose)
		return h("button", { key: "take", class: "primary",
			onclick: () => game.act(command) }, nameOf("actions", "take"));
	const ways = new Map(moves.flatMap((move) => move.choose.pay.options.map(
		(pay) => [pay.map(kindOf).join(), { move, pay }])));
	return h("div", { class: "stack", key: "take" },
		h("p", { class: "quiet" }, t("choose_payment")),
		[...ways].map(([key, { move, pay: [kept, gone] }]) => h("button", {
			key, class: "way", onclick: () => game.act({ ...move.command,
				pay: [kept, gone] }), "aria-label": t("keep_and_exhaust", {
				kept: gangsterName(kept), gone: gangsterName(gone) }) },
		h("span", {}, t("keep"), gangsterIcon(kept)),
		h("span", {}, t("exhaust"), gangsterIcon(gone)))));
}

function swap(game, moves) {
	const { give, take } = game.ui;
	const move = moves.find(({ choose }) => choose.give.least === give.length &&
		give.length === take.length);
	const most = Math.max(...moves.map(({ choose }) => choose.give.most));
	const row = (label, codes) => h("p", { class: "chosen", key: label },
		h("span", {}, t(label)), codes.map((code) => gangster(code)));
	return h("div", { class: "stack", key: "swap" },
		h("p", { class: "quiet" }, t("choose_swap", { count: most })),
		row("you_give", give), row("you_get", take),
		h("button", { class: "primary", disabled: !move,
			onclick: () => game.act({ ...move.command, give, take }) },
		nameOf("actions", "accountant")));
}

function threat(game, moves) {
	const { target } = game.ui;
	const move = moves.find(({ choose }) => choose.target.options.includes(target));
	const { least, most } = move?.choose.by ?? { least: 1, most: 0 };
	return h("div", { class: "stack", key: "threat" },
		h("p", { class: "quiet" }, move ? t("lower_by", {
			card: gangsterName(target) }) : t("choose_target")),
		h("div", { class: "pair" }, Array.from({ length: most - least + 1 },
			(_, at) => h("button", { key: at, class: "primary",
				onclick: () => game.act({ ...move.command, target,
					by: least + at }) }, `−${least + at}`))));
}
