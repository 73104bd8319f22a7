// invite.js - the invitation: its code, its link, and ways to send them; the link
// for spectators.
import { qrArt } from "./drawings.js";
import { h } from "./dom.js";
import { linkTo } from "./service.js";
import { openSheet } from "./sheet.js";
import { tellError, toast, told } from "./status.js";
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
		sending(linkTo(`#/join/${code}`)));
}

/** A dialog with the link for spectators. */
export const openWatching = ({ seat: { id } }) =>
	openSheet(() => t("let_watch"), () => h("div", { class: "stack invite" },
		h("p", {}, t("let_watch_text")), sending(linkTo(`#/watch/${id}`))));

const sending = (link) => [qrArt(link, t("code_of_link")),
	h("div", { class: "pair" },
		navigator.share && h("button", { onclick: told(() =>
			navigator.share({ title: t("title"), url: link })) }, t("share")),
		h("button", { onclick: told(async () => {
			await navigator.clipboard.writeText(link);
			toast(t("copied"));
		}) }, t("copy_link"))),
	h("p", { class: "link" }, link)];

async function look(game, invitation) {
	try {
		Object.assign(invitation, await game.seat.request("GET", "/invitation"));
		game.draw();
	} catch (error) {
		tellError(error);
	}
}
