// drawings.js - chips, vaults and alarms, as SVG that takes its colours from theme.css.
// Colours are also told apart by shape: each chip has the outline of its colour.
import { card } from "../../drawings.js";
import { h, s } from "../../dom.js";
import { wordOf } from "../../rules.js";
import { t } from "../../text.js";

const STAR = "M0-5 1.5-1.6 5-1.5 2.3.8 3.1 4.4 0 2.4-3.1 4.4-2.3.8-5-1.5-1.5-1.6z";

// The inlay of each colour: a circle, a square on its corner, a hexagon, a star.
const INLAYS = {
	white: "M32 13a19 19 0 1 1 0 38 19 19 0 0 1 0-38z",
	yellow: "M32 9 55 32 32 55 9 32z",
	orange: "M32 11 50.2 21.5v21L32 53 13.8 42.5v-21z",
	red: "M32 8l6.5 8.2 10.5-1.2-1.2 10.5L56 32l-8.2 6.5 1.2 10.5-10.5-1.2L32 56l-6.5-8.2L15 49l1.2-10.5L8 32l8.2-6.5L15 15l10.5 1.2z",
};
const MARKS = { white: "8 20.2", yellow: "6 12.8", orange: "6 8.2", red: "4 4.4" };

export const chipName = ({ color, stars }) =>
	t("chip", { color: wordOf(color), count: stars });

/** The picture of a chip. */
export const chipArt = ({ color, stars, dark }) =>
	s("svg", { viewBox: "0 0 64 64", "aria-hidden": "true",
		class: `chip-art ${color}${dark ? " dark" : ""}` },
	s("circle", { cx: 32, cy: 33.5, r: 29.5, class: "shade" }),
	s("circle", { cx: 32, cy: 32, r: 29.5, class: "body" }),
	s("circle", { cx: 32, cy: 32, r: 27, class: "marks",
		"stroke-dasharray": MARKS[color] }),
	s("path", { d: INLAYS[color], class: "inlay" }),
	s("text", { x: 32, y: 36, class: "number" }, stars),
	Array.from({ length: stars }, (_, at) => s("path", { d: STAR, class: "star",
		transform: `translate(${32 + 5.6 * (at - (stars - 1) / 2)} ${
			43.5 - Math.abs(at - (stars - 1) / 2) * 0.8}) scale(.52)` })),
	dark && s("path", { class: "lock",
		d: "M48 46v-4a5 5 0 0 1 10 0v4h1v10H47V46zm2.5 0h5v-4a2.5 2.5 0 0 0-5 0z" }));

/** The ring where a chip of a colour will lie. */
export const chipPlace = (color) =>
	s("svg", { viewBox: "0 0 64 64", "aria-hidden": "true",
		class: `chip-art empty ${color}` },
	s("path", { d: INLAYS[color] }));

export const vault = (isOpen) =>
	s("svg", { viewBox: "0 0 32 32", "aria-hidden": "true",
		class: `vault ${isOpen ? "on" : ""}` },
	s("rect", { x: 2.5, y: 2.5, width: 27, height: 27, rx: 6, class: "box" }),
	s("circle", { cx: 16, cy: 16, r: 8.5, class: "door" }),
	s("path", { d: "M16 10v12M10 16h12", class: "wheel" }),
	s("circle", { cx: 16, cy: 16, r: 2.5, class: "hub" }));

export const alarm = (isRed) =>
	s("svg", { viewBox: "0 0 32 32", "aria-hidden": "true",
		class: `alarm ${isRed ? "on" : ""}` },
	s("path", { d: "M8 22.5V17a8 8 0 0 1 16 0v5.5z", class: "lamp" }),
	s("path", { d: "M5 23h22v4.5H5z", class: "foot" }),
	s("path", { d: "M16 5V2M6.5 8.5 4.3 6.3M25.5 8.5l2.2-2.2M12.5 17.5a3.5 3.5 0 0 1 3.5-3.5",
		class: "ray" }));

/** The vaults and alarms, and their number in words. */
export function score({ vaults, alarms }) {
	const row = (name, count, limit, draw) => h("span", { class: "score",
		role: "img", "aria-label": t(name, { count, limit }) },
	Array.from({ length: limit }, (_, at) => draw(at < count)));
	return h("div", { class: "scores" },
		row("vaults", vaults.gold, vaults.needed, vault),
		row("alarms", alarms.red, alarms.limit, alarm));
}

/** The picture at the entrance. */
export const entranceArt = () => [card("Ks", "tilt-1"), card("Ah", "tilt-2"),
	h("span", { class: "hero-chip one" }, chipArt({ color: "yellow", stars: 2 })),
	h("span", { class: "hero-chip two" }, chipArt({ color: "red", stars: 3 })),
	h("span", { class: "hero-vault" }, vault(true), vault(true), vault(false))];
