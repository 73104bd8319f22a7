// invite.js - the invitation: its code and its link; the link for spectators.
import { h } from "./dom.js";
import { linkTo } from "./service.js";
import { sharing } from "./share.js";
import { openSheet } from "./sheet.js";
import { tellError } from "./status.js";
import { t } from "./text.js";

/** A panel with the invitation, which is asked for once. */
export function inviteText(game) {
	const { ui } = game;
	if (!ui.invitation) {
		ui.invitation = {};
		look(game, ui.invitation);
	}
	const { invite_code: code } = ui.invitation;
	if (!code)
		return h("section", { class: "panel invite" });
	return h("section", { class: "panel invite" },
		h("h2", {}, t("invite_friends")),
		h("p", { class: "code" }, h("span", { class: "unseen" }, t("code"), " "),
			`${code.slice(0, 4)}-${code.slice(4)}`),
		sharing(linkTo(`#/join/${code}`)));
}

/** A dialog with the link for spectators. */
export const openWatching = ({ seat: { id } }) =>
	openSheet(() => t("let_watch"), () => h("div", { class: "stack invite" },
		h("p", {}, t("let_watch_text")), sharing(linkTo(`#/watch/${id}`))));

async function look(game, invitation) {
	try {
		Object.assign(invitation, await game.seat.request("GET", "/invitation"));
		game.draw();
	} catch (error) {
		tellError(error);
	}
}
