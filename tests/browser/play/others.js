// others.js - what people do besides playing: choose a sign, play against a bot alone,
// and leave a seat to a bot.
import { familyStep } from "./family_hand.js";
import { play, sitDown } from "./table.js";
import { until } from "./tally.js";

const SIGN = "♞";
const OTHER_SIGN = "☂";
const TURNS = 4;
const STEPS_AT_ONCE = 20;

const pick = (page, field, value) =>
	page.check(`input[name=${field}][value='${value}']`, { force: true });

/** One who plays Famiglia against a bot, with a sign instead of a letter. */
export async function checkRival(tally, person) {
	const { page, name } = person;
	await page.fill("input[name=name]", name);
	await page.click("a[href='#/create']");
	await pick(page, "ruleset", "famiglia");
	await pick(page, "bots", 1);
	await pick(page, "avatar", SIGN);
	await page.click("form .primary");
	await person.until("isPlaying");
	tally.check("a sign that is chosen is the player's",
		await page.locator(`.family-side .face:text-is("${SIGN}")`).count() === 1);
	const isFar = ({ table, status }) => table.turn > TURNS || status !== "playing";
	for (let view = await person.view(); !isFar(view); view = await person.view()) {
		let steps = 0;
		await play([person], { hand: familyStep, isDone: ({ end }) =>
			end || (steps += 1) === STEPS_AT_ONCE });
	}
	const { players, table, you } = await person.view();
	const theirs = players.find(({ seat }) => seat !== you.seat);
	const moves = await page.locator(`.log li:has(.seat-${theirs.seat})`).count();
	tally.check("a bot plays Famiglia against a person",
		theirs.bot !== null && table.turn > 1 && moves > 1, [table.turn, moves]);
}

/** Another name and sign, by the menu. */
export async function checkSelf(tally, person) {
	const { page } = person;
	await page.click(".bar button.icon");
	await page.click("dialog.sheet .stack > :nth-child(3)");
	await page.fill("dialog input[name=name]", "Dorothea");
	await pick(page, "avatar", OTHER_SIGN);
	await page.click("dialog .primary");
	await page.waitForSelector("dialog", { state: "detached" });
	const shown = `.family-side:has(.name:text-is("Dorothea")) ` +
		`.face:text-is("${OTHER_SIGN}")`;
	tally.check("name and sign are changed by the menu", await until(
		() => page.locator(shown).count(), "the other name"));
}

/** The page shows a refusal in its own words, not in the service's for clients. */
async function checkRefusal(tally, { page }) {
	const problem = { status: 409, code: "chip_moved", title: "moved", detail: "from" };
	await page.route("**/actions", (route) => route.fulfill({ status: 409,
		contentType: "application/problem+json", body: JSON.stringify(problem) }));
	await page.click(".tray button.chip");
	const toast = await page.textContent("#toasts .toast");
	await page.unroute("**/actions");
	const { text } = await page.evaluate(async () => {
		const answer = await fetch(`v1/rules/problems?lang=${
			document.documentElement.lang}`);
		return (await answer.json()).problems.find(({ code }) =>
			code === "chip_moved");
	});
	tally.check("a refusal is told in the player's words", toast.length > 10 &&
		!toast.includes("from") && toast !== text, [toast, text]);
}

/** One leaves the seat to a bot, which goes on.  The stream ends with the reason
 * before the request is answered. */
export async function checkLeaving(tally, [stays, leaves]) {
	await sitDown([stays, leaves], { mode: "basic", bots: 1 });
	await checkRefusal(tally, stays);
	const { seat } = (await leaves.view()).you;
	await leaves.page.route("**/bots", async (route) => {
		const response = await route.fetch();
		await leaves.page.waitForSelector("main > a.big");
		await route.fulfill({ response });
	});
	await leaves.page.click(".bar button.icon");
	await leaves.page.click("dialog.sheet .stack button");
	await leaves.page.click("dialog .stack > button:not(.danger)");
	await leaves.page.waitForSelector(".home");
	tally.check("one who leaves has the seat no more",
		(await leaves.seats()).length === 0);
	const told = stays.page.locator(`.log li:has-text("${leaves.name}")`);
	tally.check("and the others are told by name: who came, and who left",
		await until(async () => await told.count() === 2, "the news"));
	const { players } = await stays.view();
	tally.check("and a bot has it", players.find((each) =>
		each.seat === seat).bot !== null, players);
	await play([stays], { seats: 3, isDone: ({ isOver }) => isOver });
	tally.check("and goes on with the game", true);
}
