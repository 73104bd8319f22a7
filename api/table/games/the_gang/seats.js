// seats.js - the other players: each with the chip of the round, which may be
// taken, and those of earlier rounds.
import { back, face, icon } from "../../drawings.js";
import { chipPlace } from "./drawings.js";
import { h } from "../../dom.js";
import { chip, oldChip } from "./chips.js";
import { t } from "../../text.js";

const COLORS = ["white", "yellow", "orange", "red"];

/** The players from the one at the reader's left on; all, for a spectator. */
export function othersOf(game) {
	const mine = game.you?.seat ?? 0;
	const { players } = game.view;
	return [...players.filter(({ seat }) => seat > mine),
		...players.filter(({ seat }) => seat < mine)];
}

/** The chips of earlier rounds of a seat. */
export function oldChips({ view: { heist } }, seat) {
	return h("span", { class: "old-chips" }, COLORS.map((color) => {
		const found = heist.chips.find((each) => each.seat === seat &&
			each.color === color && color !== heist.color);
		return found && oldChip(found, heist.number);
	}));
}

/** The chip of the round that lies before a seat, or its place. */
export function slotOf(game, seat) {
	const { heist } = game.view;
	const found = heist.chips.find((each) => each.seat === seat &&
		each.color === heist.color);
	return h("span", { class: "slot" }, found ? chip(game, found) :
		h("span", { class: "chip none" }, chipPlace(heist.color)));
}

export function otherSeat(game, player) {
	const { heist } = game.view;
	const isAwaited = heist.waiting_for.includes(player.seat);
	const isConfirmed = heist.confirmed.includes(player.seat);
	return h("li", { class: `seat${isAwaited ? " awaited" : ""}`,
		key: player.seat },
	h("span", { class: "who" }, face(player),
		h("span", { class: "name", title: player.name },
			player.name ?? t("vacant_seat")),
		isConfirmed && h("span", { class: "confirmed", role: "img",
			"aria-label": t("has_confirmed") }, icon("check"))),
	slotOf(game, player.seat),
	h("span", { class: "under" }, oldChips(game, player.seat),
		h("span", { class: "backs" }, back("a"), back("b"))));
}
