// drawings.js - playing cards, faces, icons and QR codes.  They are drawn here, as SVG
// that takes its colours from theme.css.  Each suit has a shape of its own.
import { h, s } from "./dom.js";
import { qrCode } from "./qr.js";
import { t } from "./text.js";

const SUITS = {
	h: "M12 21.5C5 16 2 12.4 2 8.2a5.2 5.2 0 0 1 10-2 5.2 5.2 0 0 1 10 2c0 4.2-3 7.8-10 13.3z",
	d: "M12 1.5Q15.6 7.6 20.5 12 15.6 16.4 12 22.5 8.4 16.4 3.5 12 8.4 7.6 12 1.5z",
	s: "M12 1.5c3 4.6 9.5 8 9.5 13a4.6 4.6 0 0 1-8.2 2.9q.3 3.1 2.7 5.1H8q2.4-2 2.7-5.1a4.6 4.6 0 0 1-8.2-2.9c0-5 6.5-8.4 9.5-13z",
	c: "M12 1.8a4.7 4.7 0 0 1 3.9 7.3 4.8 4.8 0 1 1-2.7 7.5q.3 3.7 2.8 5.9H8q2.5-2.2 2.8-5.9a4.8 4.8 0 1 1-2.7-7.5A4.7 4.7 0 0 1 12 1.8z",
	x: "M2 8q5-2 10 .6Q17 6 22 8q0 8-5 8.5-3.6 0-5-4-1.4 4-5 4Q2 16 2 8z",
};
const RED = "hd";

export const rankOf = (rank) => rank === "T" ? "10" : rank;

/** "10 of hearts". */
export const cardName = (card) => t("card", {
	rank: t(`rank_${card[0]}`), suit: t(`suit_${card[1]}`) });

/** A card, as wide as its place; `marks` are classes, such as "best". */
export function card(code, marks = "", key = code) {
	const suit = code[1];
	const color = RED.includes(suit) ? "red" : "black";
	return h("span", { key, role: "img", class: `card ${color} ${marks}`,
		"aria-label": cardName(code) },
	s("svg", { viewBox: "0 0 60 84", "aria-hidden": "true" },
		s("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7, class: "paper" }),
		s("text", { x: 7, y: 31, class: code[0] === "T" ? "ten" : "rank" },
			rankOf(code[0])),
		s("path", { d: SUITS[suit], transform: "translate(6.5 37) scale(.56)" }),
		s("path", { d: SUITS[suit],
			transform: "translate(25 47) scale(1.3)" })));
}

/** The back of a card that lies there, or an empty place. */
export const back = (key) => h("span", { key, class: "card back",
	"aria-hidden": "true" },
s("svg", { viewBox: "0 0 60 84" },
	s("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7, class: "back-edge" }),
	s("rect", { x: 5, y: 5, width: 50, height: 74, rx: 4, class: "back-fill" }),
	s("circle", { cx: 30, cy: 37, r: 8, class: "back-line" }),
	s("path", { d: "M26.5 43 24 58h12l-2.5-15z", class: "back-line" })));

export const place = (key) => h("span", { key, class: "card place",
	"aria-hidden": "true" },
s("svg", { viewBox: "0 0 60 84" },
	s("rect", { x: 2, y: 2, width: 56, height: 80, rx: 7 })));

const ICONS = {
	menu: "M4 7h16M4 12h16M4 17h16",
	back: "M15 5l-7 7 7 7",
	bot: "M6 9h12v9H6zM12 9V5M9.5 13v.5M14.5 13v.5M4 12v3M20 12v3",
	crown: "M4 17V8l4.5 4L12 6l3.5 6L20 8v9z",
	check: "M5 12.5l4.5 4.5L19 7",
	cross: "M6 6l12 12M18 6L6 18",
	card: "M6 3.5h12v17H6z",
};

export const icon = (name) => s("svg", { viewBox: "0 0 24 24", class: "glyph",
	"aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/** The picture of a player: the avatar, cut to fit, or else the first letter. */
export const face = ({ seat, name, avatar, bot }) => h("span", {
	class: `face seat-${seat}`, "aria-hidden": "true" }, bot ? icon("bot") :
	avatar ? [...avatar].slice(0, 2) : [...name ?? "?"][0]);

const codes = new Map(); // those made so far

/** A QR code of an address, which stays black on white in the dark too. */
export function qrArt(text, label) {
	if (!codes.has(text))
		codes.set(text, qrCode(text));
	const rows = codes.get(text);
	const size = rows.length + 8;
	const path = rows.flatMap((row, y) => row.map((isBlack, x) =>
		isBlack ? `M${x} ${y}h1v1h-1z` : "")).join("");
	return s("svg", { viewBox: `-4 -4 ${size} ${size}`, class: "qr", role: "img",
		"aria-label": label, "shape-rendering": "crispEdges" },
	s("rect", { x: -4, y: -4, width: size, height: size, fill: "#fff" }),
	s("path", { d: path, fill: "#000" }));
}
