// people.js - who is at the table: presence, bots, removing, leaving, and the
// reader's own name and sign.
import { h } from "./dom.js";
import { face, icon } from "./drawings.js";
import { avatarField, nameField } from "./fields.js";
import { inviteText } from "./invite.js";
import { dropSeat, self } from "./seats.js";
import { openSheet } from "./sheet.js";
import { toast, tellError } from "./status.js";
import { t } from "./text.js";

const ONLINE_MS = 60e3;

export const addBot = (game, level) => game.ask("POST", "/bots", { level });

export const removePlayer = (game, { seat }) =>
	game.ask("DELETE", `/players/${seat}`);

/** Leaves, or leaves the seat to a bot, and goes to the entrance. */
async function leave(game, toBot) {
	const { seat } = game.you;
	const isDone = toBot ?
		await game.ask("POST", "/bots", { instead_of_me: true }) :
		await game.ask("DELETE", `/players/${seat}`);
	if (isDone) {
		dropSeat(game.seat.id);
		location.hash = "#/";
	}
}

/** A dialog with the players, when each was last seen, and what can be done. */
export async function openPeople(game) {
	let players = game.view.players;
	const { draw } = game.sheet = openSheet(() => t("people"), (close) => [
		h("ol", { class: "rows people" }, players.map((player) =>
			personRow(game, player, look))),
		game.you && game.view.players.some(({ vacant }) => vacant) &&
			inviteText(game),
		game.you && leaving(game, close)]);
	async function look() {
		try {
			({ players } = await game.seat.request("GET", "/players"));
			draw();
		} catch (error) {
			tellError(error);
		}
	}
	await look();
}

/** A dialog in which the reader takes another name or sign. */
export function openSelf(game) {
	const { draw, close } = openSheet(() => t("change_self"), () =>
		h("form", { class: "form stack", onsubmit: async (event) => {
			event.preventDefault();
			if (await game.ask("PATCH", `/players/${game.you.seat}`,
				self(t("guest"))))
				close();
		} }, nameField(), avatarField(() => draw()),
		h("button", { class: "primary" }, t("save"))));
}

function personRow(game, player, look) {
	const isMe = player.seat === game.you?.seat;
	const about = [isMe && t("its_you"), player.host && t("host"),
		player.bot ? t(`level_${player.bot.level}`) : presence(player)];
	return h("li", { class: "row", key: player.seat }, face(player),
		h("span", { class: "grow" },
			h("strong", {}, player.name ?? t("vacant_seat")),
			h("small", {}, about.filter(Boolean).join(" · "))),
		game.you && !isMe && !player.vacant && h("button", { class: "icon",
			"aria-label": t("remove_name", { name: player.name }),
			title: t("remove_name", { name: player.name }),
			onclick: async () => {
				if (await removePlayer(game, player))
					toast(t("was_removed", { name: player.name }));
				await look();
			} }, icon("cross")));
}

function presence({ vacant, last_seen_at: at }) {
	if (vacant || !at)
		return "";
	const minutes = Math.floor((Date.now() - Date.parse(at)) / 60e3);
	return Date.now() - Date.parse(at) < ONLINE_MS ? t("here") :
		t("away", { count: Math.max(1, minutes) });
}

const leaving = (game, close) => h("div", { class: "stack" },
	game.view.status === "playing" && h("button", { onclick: async () => {
		close();
		await leave(game, true);
	} }, t("leave_to_bot")),
	h("button", { class: "danger", onclick: async () => {
		close();
		await leave(game, false);
	} }, t("leave_table")));
