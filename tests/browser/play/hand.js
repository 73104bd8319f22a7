// hand.js - the hand of a person at the table.  step() runs inside the page, so it
// uses nothing but what it is given and the document.  It presses what a person
// would press: only buttons that the page shows.

/** Does the first thing that the page offers, and returns what that was; "" when
 * there is nothing to do.  `star` is the chip that is wanted, if any is, and `color`
 * that of the round; `isHost` also goes on to the next heist; `isBold` uses the
 * specialist. */
export function step({ star, color, isHost = false, isBold = false }) {
	const find = (selector) => document.querySelector(selector);
	const all = (selector) => [...document.querySelectorAll(selector)];
	const any = (list) => list[Math.floor(Math.random() * list.length)];
	const press = (node, what) => {
		node.click();
		return what;
	};
	const marked = (chips) => chips.find(({ dataset }) =>
		star && dataset.fly.endsWith(`${star}`));

	const sheet = find("dialog.sheet[open]");
	if (sheet) {
		const open = [...sheet.querySelectorAll("fieldset")].find((fields) =>
			!fields.querySelector("input:checked"));
		if (open)
			return press(any([...open.querySelectorAll("input")]), "fill");
		const send = sheet.querySelector(".primary");
		return send && !send.disabled ? press(send, "propose") :
			press(sheet.querySelector("header button"), "close");
	}
	const choices = all(".due button");
	if (choices.length > 0)
		return press(any(choices), "choose");
	const agree = find(".proposal .pair .primary");
	if (agree)
		return press(agree, "agree");
	const skip = find(".skip");
	if (skip)
		return press(skip, "skip");
	for (const answers of all(".answers")) {
		// An answer may be given anew as long as not all agree.
		const at = Date.now();
		if (at - (answers.dataset.answered ?? 0) > 1000) {
			answers.dataset.answered = at;
			return press(answers.querySelector("button"), "answer");
		}
	}
	if (find(".ending"))
		return "";
	const next = find(".gang > .dock .primary");
	if (next)
		return isHost ? press(next, "next") : "";
	const ask = find(".ability > button");
	if (ask && isBold)
		return press(ask, "open");
	const confirm = find(".my-chip .primary");
	if (confirm)
		return press(confirm, "confirm");
	if (find(".my-chip .slot .chip:not(.none)"))
		return "";
	// The round may have ended since the plan was made.
	if (color && !find(`.my-chip .chip-art.${color}`))
		return "";
	const free = all(".tray button.chip");
	const held = all(".others button.chip");
	const wanted = marked(free) ?? any(free) ?? marked(held) ?? any(held);
	return wanted ? press(wanted, "take") : "";
}

/** A short summary of the game as the page shows it. */
export function look() {
	const find = (selector) => document.querySelector(selector);
	const chip = find("main.gang [data-fly] .chip-art, main.gang .chip-art");
	const ending = find(".ending");
	return {
		color: ["white", "yellow", "orange", "red"].find((color) =>
			find(".tray .chip-art, .my-chip .chip-art")?.classList
				.contains(color)),
		isWaiting: Boolean(find(".waiting")),
		isPlaying: Boolean(find(".mine .card") && chip || find(".family-side")),
		canPropose: Boolean(find(".ability > button")),
		isOver: Boolean(find(".outcome")),
		end: ending && (ending.classList.contains("won") ? "won" : "lost"),
	};
}
