// device.js - the same seat on another device: a code with the seat's address.  The
// token is in the fragment of that address, which no request ever carries.
import { h, patch } from "./dom.js";
import { qrArt } from "./drawings.js";
import { keepSeat, seatOf } from "./seats.js";
import { linkTo } from "./service.js";
import { openSheet } from "./sheet.js";
import { t } from "./text.js";

/** Shows the code. */
export function openDevice({ seat: { id, token } }) {
	openSheet(() => t("other_device"), () => [
		h("p", {}, t("scan_to_play")),
		qrArt(linkTo(`#/seat/${id}/${token}`), t("other_device")),
		h("p", { class: "quiet" }, t("scan_warning"))]);
}

const IS_ID = /^[0-9a-f-]{36}$/;
const IS_TOKEN = /^[\w-]{20,100}$/;

/** The page of that address: keeps the seat, and goes to the game without leaving
 * the address in the history.  A link that a stranger sends must not take the
 * place of a seat that is kept, unless the reader says so. */
export function devicePage(root, id = "", token = "") {
	const kept = seatOf(id)?.token;
	const go = () => location.replace(IS_ID.test(id) ? `#/game/${id}` : "#/");
	const keep = () => {
		keepSeat({ id, token, ruleset: "the_gang", status: "playing" });
		go();
	};
	const isWhole = IS_ID.test(id) && IS_TOKEN.test(token);
	if (isWhole && kept && kept !== token)
		patch(root, h("main", { class: "narrow" },
			h("section", { class: "panel" },
				h("p", {}, t("has_seat")),
				h("button", { class: "primary", onclick: go }, t("keep_seat")),
				h("button", { class: "danger", onclick: keep },
					t("replace_seat")))));
	else if (isWhole)
		keep();
	else
		go();
}
