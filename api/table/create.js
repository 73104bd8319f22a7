// create.js - the form for a new game.  Its values are those of the request.
import { h, patch } from "./dom.js";
import { avatarField, choice, languageChoice, nameField, toggle } from "./fields.js";
import { allGames, gameOf } from "./games.js";
import { enter } from "./home.js";
import { self } from "./seats.js";
import { gangd } from "./service.js";
import { tellError } from "./status.js";
import { t } from "./text.js";

const LEVELS = ["novice", "steady", "sharp"];

export function createPage(root) {
	const leaving = new AbortController();
	const [usual] = allGames();
	const options = Object.assign({}, ...allGames().map((game) => game.options));
	const wanted = { ...options, ruleset: usual.code, seats: usual.seats, bots: 0,
		bot_level: "sharp", visibility: "private", spectators: false };
	let isBusy = false;

	const set = (name) => (value) => {
		wanted[name] = value;
		if (name === "ruleset")
			wanted.seats = gameOf(value).seats;
		wanted.bots = Math.min(wanted.bots, wanted.seats - 1);
		draw();
	};
	const send = async (event) => {
		event.preventDefault();
		isBusy = true;
		draw();
		try {
			enter(await gangd.create(bodyOf(wanted)));
		} catch (error) {
			tellError(error);
		}
		isBusy = false;
		draw();
	};
	const draw = () => patch(root, h("main", { class: "narrow" },
		h("header", { class: "top" },
			h("a", { class: "back-link", href: "#/" }, "‹ ", t("back")),
			h("h1", {}, t("create_table"))),
		h("form", { class: "panel form", onsubmit: send },
			nameField(), avatarField(draw), fieldsOf(wanted, set),
			h("button", { class: "primary big", disabled: isBusy },
				wanted.bots === wanted.seats - 1 ? t("create_and_start") :
					t("create"))),
		h("footer", { class: "foot" }, languageChoice())));
	addEventListener("texts", draw, { signal: leaving.signal });
	draw();
	return () => leaving.abort();
}

/** A full table of bots starts at once. */
function bodyOf(wanted) {
	const { ruleset, bots, bot_level, visibility, spectators } = wanted;
	return { ruleset, bots, visibility, spectators, ...bots > 0 && { bot_level },
		...gameOf(ruleset).bodyOf?.(wanted), ...self(t("guest")),
		start: bots === wanted.seats - 1 };
}

const numbers = (from, to) => Array.from({ length: to - from + 1 },
	(_, at) => ({ value: from + at, label: `${from + at}` }));

const fieldsOf = (wanted, set) => [
	choice("ruleset", t("game"), allGames().map(({ code }) =>
		({ value: code, label: t(code), text: t(`${code}_text`) })), wanted.ruleset,
	set("ruleset")),
	gameOf(wanted.ruleset).fields?.(wanted, set),
	choice("bots", t("bots"), numbers(0, wanted.seats - 1), wanted.bots,
		set("bots")),
	wanted.bots > 0 && choice("level", t("bot_level"), LEVELS.map((level) =>
		({ value: level, label: t(`level_${level}`) })), wanted.bot_level,
	set("bot_level")),
	h("details", { class: "more" }, h("summary", {}, t("more_settings")),
		gameOf(wanted.ruleset).moreFields?.(wanted, set),
		toggle(t("list_publicly"), wanted.visibility === "public", (isPublic) =>
			set("visibility")(isPublic ? "public" : "private")),
		toggle(t("allow_spectators"), wanted.spectators, set("spectators"))),
];
