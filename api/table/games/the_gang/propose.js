// propose.js - the form that proposes a specialist's use.
import { rankOf } from "../../drawings.js";
import { h } from "../../dom.js";
import { choice } from "../../fields.js";
import { nameOf, textOf } from "../../rules.js";
import { openSheet } from "../../sheet.js";
import { t } from "../../text.js";

const MEMBERS = ["seat", "target_seat", "value"];

/** Opens the form; it closes by itself when nothing can be proposed any more. */
export function openProposal(game) {
	const draft = {};
	const { code } = game.view.heist.specialist;
	game.sheet = openSheet(() => nameOf("specialists", code), (close) => {
		const moves = game.legal("propose");
		if (moves.length === 0) {
			setTimeout(close);
			return [];
		}
		return form(game, code, moves, draft, close);
	});
}

/** There is an action for each member that is settled in its command; the members
 * of its `choose` are chosen here. */
function form(game, code, moves, draft, close) {
	const move = moves.length === 1 ? moves[0] :
		moves.find(({ command: { seat } }) => seat === draft.seat);
	const open = Object.keys(move?.choose ?? {});
	const isWhole = move && open.every((member) => draft[member] !== undefined &&
		move.choose[member].options.includes(draft[member]));
	const fields = fieldsOf(moves, move);
	const label = (member, value) => member === "value" ? rankOf(value) :
		game.nameAt(value);
	return [
		h("p", {}, textOf("specialists", code)),
		fields.map(([member, options]) => choice(`ask-${member}`,
			t(`ask_${member}`), options.map((value) => ({ value,
				label: label(member, value) })), draft[member], (value) => {
				draft[member] = value;
				game.sheet.draw();
			})),
		h("button", { class: "primary big", disabled: !isWhole,
			onclick: () => {
				close();
				game.act({ ...move.command, ...Object.fromEntries(
					open.map((member) => [member, draft[member]])) });
			} }, t("propose"))];
}

/** The members to choose with their options, in the order of asking. */
function fieldsOf(moves, move) {
	const found = Object.fromEntries(Object.entries(move?.choose ?? {})
		.map(([member, { options }]) => [member, options]));
	if (moves.length > 1)
		found.seat = moves.map(({ command: { seat } }) => seat);
	return MEMBERS.filter((member) => found[member])
		.map((member) => [member, found[member]]);
}
