// create.js - the form for a new game.  Its values are those of the request.
import { h, patch } from "./dom.js";
import { avatarField, choice, languageChoice, nameField, toggle } from "./fields.js";
import { enter } from "./home.js";
import { modes } from "./rules.js";
import { self } from "./seats.js";
import { gangd } from "./service.js";
import { tellError } from "./status.js";
import { t } from "./text.js";

const LEVELS = ["novice", "steady", "sharp"];

export function createPage(root) {
	const leaving = new AbortController();
	const wanted = { ruleset: "the_gang", mode: "basic", seats: 4, bots: 0, bot_level: "sharp",
		round_end: "at_once", stacks: "numbered", visibility: "private",
		spectators: false };
	let isBusy = false;

	const set = (name) => (value) => {
		wanted[name] = value;
		if (name === "ruleset")
			wanted.seats = value === "famiglia" ? 2 : 4;
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
	const { stacks, mode, round_end, seats, ...body } = wanted;
	if (wanted.ruleset === "the_gang")
		Object.assign(body, { mode, round_end, seats });
	if (wanted.ruleset === "the_gang" && mode !== "basic")
		body.stacks = stacks;
	if (wanted.bots === 0)
		delete body.bot_level;
	return { ...body, ...self(t("guest")),
		start: wanted.bots === wanted.seats - 1 };
}

const numbers = (from, to) => Array.from({ length: to - from + 1 },
	(_, at) => ({ value: from + at, label: `${from + at}` }));

const isGang = ({ ruleset }) => ruleset === "the_gang";

const fieldsOf = (wanted, set) => [
	choice("ruleset", t("game"), ["the_gang", "famiglia"].map((value) =>
		({ value, label: t(value), text: t(`${value}_text`) })), wanted.ruleset,
	set("ruleset")),
	isGang(wanted) && choice("mode", t("mode"), modes().map(({ code, name, text }) =>
		({ value: code, label: name, text })), wanted.mode, set("mode")),
	isGang(wanted) && choice("seats", t("seats"), numbers(3, 6), wanted.seats, set("seats")),
	choice("bots", t("bots"), numbers(0, wanted.seats - 1), wanted.bots,
		set("bots")),
	wanted.bots > 0 && choice("level", t("bot_level"), LEVELS.map((level) =>
		({ value: level, label: t(`level_${level}`) })), wanted.bot_level,
	set("bot_level")),
	h("details", { class: "more" }, h("summary", {}, t("more_settings")),
		isGang(wanted) && choice("round_end", t("round_end"), ["at_once", "confirmed"].map(
			(value) => ({ value, label: t(`end_${value}`),
				text: t(`end_${value}_text`) })),
		wanted.round_end, set("round_end")),
		isGang(wanted) && wanted.mode !== "basic" && choice("stacks", t("stacks"),
			["numbered", "shuffled"].map((value) => ({ value,
				label: t(`stacks_${value}`), text: t(`stacks_${value}_text`) })),
			wanted.stacks, set("stacks")),
		toggle(t("list_publicly"), wanted.visibility === "public", (isPublic) =>
			set("visibility")(isPublic ? "public" : "private")),
		toggle(t("allow_spectators"), wanted.spectators, set("spectators"))),
];
