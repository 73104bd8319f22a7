// chips.js - chips, and how they are moved: by a tap, by a key, or by dragging
// them to the own place or to the centre.  A chip that no legal action moves is a
// picture.
import { chipArt, chipName } from "./drawings.js";
import { h } from "../../dom.js";
import { t } from "../../text.js";

const DRAG_PX = 8;

const isOf = ({ chip }, { color, stars }) =>
	chip.color === color && chip.stars === stars;

/** The move of the chip that is possible now: taking or returning it. */
function moveOf(game, chip) {
	return game.legal("take_chip").find((move) => isOf(move, chip)) ??
		game.legal("return_chip").find((move) => isOf(move, chip));
}

function labelOf(game, chip, move) {
	if (!move)
		return chipName(chip);
	if (move.action === "return_chip")
		return t("return_chip", { chip: chipName(chip) });
	return chip.seat ? t("take_from", { chip: chipName(chip),
		name: game.nameAt(chip.seat) }) : t("take", { chip: chipName(chip) });
}

/** A chip at its place. */
export function chip(game, which) {
	const move = moveOf(game, which);
	const label = labelOf(game, which, move);
	const props = { key: `${which.color}${which.stars}`, title: label,
		"aria-label": label,
		"data-fly": `${game.view.heist.number}${which.color}${which.stars}` };
	return move ? h("button", { ...props, class: "chip",
		"data-drop": move.action === "take_chip" ? "mine" : "center",
		onclick: () => game.act(move.command),
		onpointerdown: (event) => drag(event, () => game.act(move.command)),
	}, chipArt(which)) :
		h("span", { ...props, role: "img",
			class: `chip still${which.locked ? " locked" : ""}` },
		chipArt(which));
}

/** A small chip of an earlier round. */
export const oldChip = (which, heist) => h("span", { class: "chip old",
	role: "img", key: which.color, title: chipName(which),
	"aria-label": chipName(which),
	"data-fly": `${heist}${which.color}${which.stars}` }, chipArt(which));

/** Carries a picture of the chip with the pointer; moves it when it is let go
 * over its aim.  A press that does not travel stays a click. */
function drag(event, move) {
	if (event.button !== 0 || !event.isPrimary)
		return;
	const button = event.currentTarget;
	const aim = `[data-aim="${button.dataset.drop}"]`;
	const listening = new AbortController();
	const { signal } = listening;
	const { clientX: x, clientY: y } = event;
	let ghost;
	const lift = () => {
		const { left, top, width } = button.getBoundingClientRect();
		ghost = h("span", { class: "chip ghost", "aria-hidden": "true" },
			button.firstElementChild.cloneNode(true));
		Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`,
			width: `${width}px` });
		document.body.append(ghost);
		document.body.dataset.dragging = button.dataset.drop;
	};
	const end = () => {
		listening.abort();
		ghost?.remove();
		delete document.body.dataset.dragging;
	};
	addEventListener("pointermove", ({ clientX, clientY }) => {
		if (!ghost && Math.hypot(clientX - x, clientY - y) > DRAG_PX)
			lift();
		if (ghost)
			ghost.style.transform =
				`translate(${clientX - x}px, ${clientY - y}px) scale(1.15)`;
	}, { signal });
	addEventListener("pointercancel", end, { signal });
	addEventListener("pointerup", ({ clientX, clientY }) => {
		const wasDragged = Boolean(ghost);
		end();
		if (!wasDragged)
			return;
		addEventListener("click", stop, { capture: true, once: true });
		setTimeout(() => removeEventListener("click", stop, { capture: true }));
		if (document.elementFromPoint(clientX, clientY)?.closest(aim))
			move();
	}, { signal });
}

function stop(event) {
	event.stopPropagation();
	event.preventDefault();
}

/** A digit takes the chip with that many stars, and 0 returns the own one. */
export function onDigit(game, { key, target, ctrlKey, altKey, metaKey }) {
	const isTyping = target.matches?.("input, textarea, select, dialog *");
	if (!/^[0-6]$/.test(key) || isTyping || ctrlKey || altKey || metaKey)
		return;
	const [move] = key === "0" ? game.legal("return_chip") :
		game.legal("take_chip").filter(({ chip: { stars } }) => stars === +key);
	if (move)
		game.act(move.command);
}
