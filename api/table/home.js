// home.js - the entrance: play at once, create a table, go on with a game, join by
// a code or from the list of public games.
import { icon } from "./drawings.js";
import { h, patch } from "./dom.js";
import { languageChoice, nameField } from "./fields.js";
import { allGames } from "./games.js";
import { nameOf } from "./rules.js";
import { allSeats, dropSeat, isOver, keepSeat, self } from "./seats.js";
import { gangd } from "./service.js";
import { tellError, told } from "./status.js";
import { listOf, t } from "./text.js";

const LOBBY_MS = 5000;
const LISTED = 12;
const QUICK_BOTS = 3;

/** Sits down: keeps the seat and goes to its game. */
export function enter(seat) {
	const { id, token, view } = seat;
	keepSeat({ id, token, ruleset: view.ruleset, mode: view.mode,
		status: view.status });
	location.hash = `#/game/${id}`;
}

export function homePage(root) {
	const leaving = new AbortController();
	let games = [];
	let isBusy = false;
	let code = "";

	const playNow = told(async () => {
		isBusy = true;
		draw();
		try {
			enter(await gangd.create({ ...self(t("guest")), bots: QUICK_BOTS,
				seats: QUICK_BOTS + 1, start: true }));
		} finally {
			isBusy = false;
			draw();
		}
	});
	const byCode = (event) => {
		event.preventDefault();
		const wanted = code.replace(/[^0-9a-z]/gi, "");
		if (wanted)
			location.hash = `#/join/${wanted}`;
	};
	const draw = () => patch(root,
		h("main", { class: "home" },
			hero(),
			h("section", { class: "start" },
				nameField(),
				h("button", { class: "primary big", onclick: playNow,
					disabled: isBusy }, t("play_now")),
				h("a", { class: "button big", href: "#/create" },
					t("create_table")),
				h("form", { class: "by-code", onsubmit: byCode },
					h("label", { for: "code" }, t("have_code")),
					h("div", { class: "joined" },
						h("input", { id: "code", value: code,
							autocomplete: "off", autocapitalize: "characters",
							spellcheck: "false", placeholder: "7K2M-9QXA",
							oninput: ({ target }) => { code = target.value; } }),
						h("button", {}, t("join"))))),
			h("div", { class: "lists" }, continued(draw), lobby(games))),
		h("footer", { class: "foot" }, languageChoice(),
			h("p", { class: "quiet" }, t("imprint"))));

	const look = async () => {
		while (!leaving.signal.aborted) {
			if (!document.hidden) {
				games = await listed(leaving.signal).catch((error) => {
					if (!leaving.signal.aborted)
						tellError(error);
					return games;
				});
				if (!leaving.signal.aborted)
					draw();
			}
			await new Promise((wake) => setTimeout(wake, LOBBY_MS));
		}
	};
	addEventListener("texts", draw, { signal: leaving.signal });
	draw();
	look();
	return () => leaving.abort();
}

async function listed(signal) {
	const found = [];
	for await (const game of gangd.lobby({ limit: `${LISTED}` }, { signal })) {
		found.push(game);
		if (found.length === LISTED)
			break;
	}
	return found;
}

const hero = () => h("header", { class: "hero" },
	h("div", { class: "hero-art", "aria-hidden": "true" },
		allGames()[0].entranceArt?.()),
	h("h1", {}, t("headline")),
	h("p", {}, t("tagline")));

function continued(draw) {
	const seats = allSeats();
	return seats.length > 0 && h("section", { class: "panel" },
		h("h2", {}, t("continue")),
		h("ul", { class: "rows" }, seats.slice(0, 8).map((seat) =>
			h("li", { key: seat.id },
				h("a", { class: "row", href: `#/game/${seat.id}` },
					h("span", { class: `dot ${seat.status}` }),
					h("span", { class: "grow" },
						h("strong", {}, titleOf(seat)),
						h("small", {}, seat.others?.length > 0 ?
							t("with", { names: listOf(seat.others) }) :
							t(`status_${seat.status}`)))),
				// A running game must not be lost by a slip of the finger.
				isOver(seat) && h("button", { class: "icon",
					"aria-label": t("forget"), title: t("forget"), onclick: () => {
						dropSeat(seat.id);
						draw();
					} }, icon("cross"))))));
}

/** "The Gang, Advanced". */
const titleOf = ({ ruleset, mode }) => [t(ruleset),
	mode && nameOf("modes", mode)].filter(Boolean).join(" · ");

const lobby = (games) => h("section", { class: "panel" },
	h("h2", {}, t("public_tables")),
	games.length === 0 && h("p", { class: "quiet" }, t("no_tables")),
	h("ul", { class: "rows" }, games.map((game) => h("li", { key: game.id },
		h("a", { class: "row", href: `#/join/${game.id}` },
			h("span", { class: "grow" },
				h("strong", {}, t("table_of", { name: game.host })),
				h("small", {}, titleOf(game)),
				h("small", {}, t("free_seats", { count: game.free_seats })))),
		game.spectators && h("a", { class: "button", href: `#/watch/${game.id}`,
			"aria-label": t("watch_table_of", { name: game.host }) },
		t("watch"))))));

