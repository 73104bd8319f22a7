// cards.js - the cards of Famiglia: a rank and the sign of a family, which
// are told apart by shape as well as by colour; and whole hands and displays.
import { h, s } from "../../dom.js";
import { nameOf } from "../../rules.js";
import { t } from "../../text.js";

const FAMILIES = { f: "famiglia", m: "mercenaries", b: "brutes",
	a: "accountants" };

export const isGangster = (value) => /^[fmba][0-4][a-e]$/.test(value);

/** "Brutes 2": a card. */
export const gangsterName = ([family, rank]) => t("gangster", {
	family: nameOf("families", FAMILIES[family]), rank });

// A crown, a dagger, a hammer and a pile of coins, in 24 by 24.
const SIGNS = {
	f: "M3.5 20V7.5l5 4.2L12 4l3.5 7.7 5-4.2V20z",
	m: "M12 1l2.6 4.4v8.1H19V16h-5.4v6.5h-3.2V16H5v-2.5h4.4V5.4z",
	b: "M4 3h16v8h-6.2v11.5h-3.6V11H4z",
	a: "M8 4h13v4.4H8zM3 9.8h13v4.4H3zM6 15.6h13V20H6z",
};

/** Equal cards, such as two brutes of rank 1, have the same kind. */
export const kindOf = (code) => code.slice(0, 2);

/** By family, and then by rank. */
const ORDER = "fmba";
export const sorted = (codes) => codes.toSorted((one, other) =>
	ORDER.indexOf(one[0]) - ORDER.indexOf(other[0]) || (one < other ? -1 : 1));

const art = (code, rank) => s("svg", { viewBox: "0 0 60 84",
	"aria-hidden": "true" },
s("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7, class: "paper" }),
s("text", { x: 8, y: 32, class: "rank" }, rank),
rank !== +code[1] && [s("text", { x: 34, y: 26, class: "former" }, code[1]),
	s("path", { d: "M32 20h16", class: "stroke" })],
s("path", { d: SIGNS[code[0]], transform: "translate(14 42) scale(1.35)" }));

/** A card: a button if `onTap` is there, which `isOn` says is chosen. */
export function gangster(code, { rank = +code[1], onTap, isOn = false,
	marks = "" } = {}) {
	const name = gangsterName(code) + (rank === +code[1] ? "" :
		`, ${t("lowered_to", { rank })}`);
	const props = { key: code, title: name, "aria-label": name,
		"data-fly": code };
	const classes = `card gangster family-${code[0]} ${marks}${isOn ? " on" : ""}`;
	return onTap ? h("button", { ...props, class: `${classes} plain`,
		"aria-pressed": `${isOn}`, onclick: onTap }, art(code, rank)) :
		h("span", { ...props, role: "img", class: classes }, art(code, rank));
}

/** A picture of a card in a button, which has its own words. */
export const gangsterIcon = (code) => h("span", {
	class: `card gangster family-${code[0]}`, "aria-hidden": "true" },
art(code, +code[1]));
