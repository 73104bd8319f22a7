// device.js - the same seat on another device or in another browser: a link with a
// code that is used once, within ten minutes.  The token is in no address.
import { h, patch } from "./dom.js";
import { keepSeat, seatOf } from "./seats.js";
import { gangd, linkTo } from "./service.js";
import { inAppHint, sharing } from "./share.js";
import { openSheet } from "./sheet.js";
import { errorText } from "./status.js";
import { t } from "./text.js";

/** Asks for a code, and shows it. */
export async function openDevice({ seat }) {
	let shown = h("p", { class: "loading" }, "…");
	const sheet = openSheet(() => t("other_device"), () => shown);
	try {
		const { code } = await seat.request("POST", "/transfers");
		shown = h("div", { class: "stack invite" }, inAppHint(),
			h("p", {}, t("scan_to_play")),
			sharing(linkTo(`#/seat/${seat.id}/${code}`), t("other_device")),
			h("p", { class: "quiet" }, t("scan_warning")));
	} catch (error) {
		shown = h("p", { class: "bad" }, await errorText(error));
	}
	sheet.draw();
}

const IS_ID = /^[0-9a-f-]{36}$/;

/** The page of that address, which leaves the history at once.  It takes the seat
 * when the reader says so: a stranger may have sent the link. */
export function devicePage(root, id = "", code = "") {
	const leaving = new AbortController();
	const path = `/v1/games/${id}/transfers/claim`;
	const claim = (confirm) => gangd.request("POST", path,
		{ body: { code, confirm }, signal: leaving.signal });
	let offer;
	let refused;
	let isBusy = false;

	const attempt = async (action) => {
		isBusy = true;
		draw();
		try {
			await action();
		} catch (error) {
			if (leaving.signal.aborted)
				return;
			refused = await errorText(error);
		}
		isBusy = false;
		draw();
	};
	const look = async () => { offer = await claim(false); };
	const take = async () => {
		const { token, game } = await claim(true);
		const { ruleset, mode, status } = game;
		keepSeat({ id, token, ruleset, mode, status });
		location.replace(`#/game/${id}`);
	};
	const draw = () => patch(root, h("main", { class: "narrow" },
		refused ? h("p", { class: "panel bad" }, refused) :
			!offer ? h("p", { class: "loading" }, t("loading")) :
				h("section", { class: "panel form" },
					h("p", {}, t("play_on_as", { name: offer.name })),
					seatOf(id)?.token && h("p", {}, t("has_seat")),
					h("button", { class: "primary big", disabled: isBusy,
						onclick: () => attempt(take) }, t("play_on"))),
		h("a", { class: "button", href: seatOf(id) ? `#/game/${id}` : "#/" },
			seatOf(id) ? t("keep_seat") : t("to_entrance"))));

	history.replaceState(null, "", "#/seat");
	if (IS_ID.test(id) && code) {
		addEventListener("texts", draw, { signal: leaving.signal });
		attempt(look);
	} else {
		location.replace("#/");
	}
	return () => leaving.abort();
}
