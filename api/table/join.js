// join.js - joining by an invitation code, or by the id of a public game.
import { h, patch } from "./dom.js";
import { avatarField, languageChoice, nameField } from "./fields.js";
import { enter } from "./home.js";
import { nameOf, problemText } from "./rules.js";
import { seatOf, self } from "./seats.js";
import { gangd } from "./service.js";
import { inAppHint } from "./share.js";
import { tellError } from "./status.js";
import { t } from "./text.js";

const IS_ID = /^[0-9a-f-]{36}$/i;

export function joinPage(root, argument = "") {
	const leaving = new AbortController();
	const isId = IS_ID.test(argument);
	let invited;
	let refused;
	let isBusy = false;

	const send = async (event) => {
		event.preventDefault();
		isBusy = true;
		draw();
		try {
			const body = self(t("guest"));
			enter(isId ? await gangd.joinGame(argument, body) :
				await gangd.join(argument, body));
		} catch (error) {
			tellError(error);
		}
		isBusy = false;
		draw();
	};
	const draw = () => patch(root, h("main", { class: "narrow" },
		h("header", { class: "top" },
			h("a", { class: "back-link", href: "#/" }, "‹ ", t("back")),
			h("h1", {}, invited?.host ? t("invites_you", { name: invited.host }) :
				t("join_table"))),
		refused ? h("p", { class: "panel bad" }, refused) :
			h("form", { class: "panel form", onsubmit: send },
				invited && h("p", { class: "quiet" },
					[t(invited.ruleset), invited.mode &&
						nameOf("modes", invited.mode),
					t("free_seats", { count: invited.free_seats })]
						.filter(Boolean).join(" · ")),
				inAppHint(), nameField(), avatarField(draw),
				h("button", { class: "primary big", disabled: isBusy },
					t("take_seat"))),
		h("footer", { class: "foot" }, languageChoice())));
	const look = async () => {
		if (isId)
			return;
		try {
			invited = await gangd.request("GET", `/v1/invitations/${argument}`,
				{ signal: leaving.signal });
			// Opened twice, the link leads back to the seat.
			if (seatOf(invited.game_id)) {
				location.replace(`#/game/${invited.game_id}`);
				return;
			}
		} catch (error) {
			if (leaving.signal.aborted)
				return;
			refused = await problemText(error);
		}
		draw();
	};
	addEventListener("texts", draw, { signal: leaving.signal });
	draw();
	look();
	return () => leaving.abort();
}
