// reach.js - that chips are moved by a finger, by dragging, and by the keyboard
// alone.
import { until } from "./tally.js";

const FREE = ".tray button.chip";
const MINE = ".my-chip button.chip";

const count = (page, selector) => page.locator(selector).count();
const AGAIN_MS = 1500;

/** Does so until the person holds a chip, or no chip: a bot may come first. */
async function handle(page, isToHold, move) {
	const isSo = async () => await count(page, MINE) === (isToHold ? 1 : 0);
	for (let attempts = 0; !await isSo(); attempts += 1) {
		if (attempts === 8)
			throw new Error(`the chip does not move: ${move}`);
		await until(async () => await count(page, ".flying") === 0,
			"chips to land");
		await move();
		await until(isSo, "", AGAIN_MS).catch(() => {});
	}
}

async function drag(page, from, to) {
	const place = async (selector) => {
		const { x, y, width, height } = await page.locator(selector).first()
			.boundingBox();
		return [x + width / 2, y + height / 2];
	};
	await page.mouse.move(...await place(from));
	await page.mouse.down();
	await page.mouse.move(...await place(to), { steps: 4 });
	await page.mouse.up();
}

/** A round in which not all have a chip: `one` drags, `other` taps, and takes the
 * chip of the first one, who gets a notice. */
export async function checkPointers(tally, one, other) {
	const take = () => drag(one.page, FREE, ".my-chip");
	const theirs = other.page.locator(
		`.others li:has-text("${one.name}") button.chip`);
	await handle(one.page, true, take);
	await handle(one.page, false, () => drag(one.page, MINE, ".tray"));
	await handle(one.page, true, take);
	tally.check("a chip is dragged to its place and back", true);
	await handle(other.page, true, () => theirs.tap());
	await until(async () => await count(one.page, MINE) === 0, "to lose a chip");
	tally.check("a chip is taken by a tap, and its holder is told",
		await count(one.page, "#toasts .toast") === 1);
	await handle(other.page, false, () => other.page.tap(MINE));
}

/** Presses Tab until an element that fits has the focus. */
async function tabTo(page, selector) {
	for (let pressed = 0; pressed < 60; pressed += 1) {
		await page.keyboard.press("Tab");
		const [isThere, isSeen] = await page.evaluate((fits) => {
			const node = document.activeElement;
			const style = getComputedStyle(node);
			return [node.matches(fits), style.outlineStyle !== "none" ||
				style.boxShadow !== "none"];
		}, selector);
		if (isThere)
			return isSeen;
	}
	throw new Error(`Tab does not lead to ${selector}`);
}

/** From the entrance to the second round with bots, without a pointer. */
export async function checkKeyboard(tally, person) {
	const { page } = person;
	const seen = [await tabTo(page, "input[name=name]")];
	await page.keyboard.type(person.name);
	seen.push(await tabTo(page, ".start .primary"));
	await page.keyboard.press("Enter");
	await person.until("isPlaying");
	const round = async () => (await person.look()).color;
	while (await round() === "white") {
		if (await count(page, MINE) === 0 && await count(page, FREE) > 0) {
			seen.push(await tabTo(page, FREE));
			await page.keyboard.press("Enter");
		}
	}
	tally.check("a whole round is played by Tab and Enter", true);
	tally.check("the focus is seen all the way", seen.every(Boolean), seen);
	await until(() => count(page, FREE), "a free chip");
	if (await count(page, MINE) === 0)
		await page.keyboard.press(await page.locator(FREE).first()
			.evaluate(({ dataset }) => dataset.fly.at(-1)));
	tally.check("a digit takes a chip", await until(async () =>
		await round() !== "yellow" || await count(page, MINE) === 1, "a digit"));
}
