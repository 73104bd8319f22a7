// watch.js - a spectator, who must see no hand before the showdown, and no control.
import { until } from "./tally.js";

/** Notes, inside the page, each card that is shown outside of a showdown, those on
 * the table, and each control of a player. */
function noteSight() {
	window.sight = { hands: new Set(), board: new Set(), controls: new Set() };
	const { hands, board, controls } = window.sight;
	new MutationObserver(() => {
		for (const face of document.querySelectorAll(
			"main.gang .card[role=img]")) {
			if (face.closest(".showdown"))
				continue;
			(face.closest(".board") ? board : hands).add(face.ariaLabel);
		}
		for (const node of document.querySelectorAll("main input, " +
			"main.waiting button, main.gang button:not(.pill, .skip)"))
			controls.add(node.outerHTML.slice(0, 80));
	}).observe(document.body, { childList: true, subtree: true });
}

const seen = ({ page }) => page.evaluate(() => Object.fromEntries(
	Object.entries(window.sight).map(([name, set]) => [name, [...set]])));

/** Comes to a table by the list of those that wait, and looks on from then. */
export async function beginWatching(tally, person, host) {
	const { page } = person;
	await page.click(`li:has-text("${host.name}") a[href^='#/watch/']`);
	await page.evaluate(noteSight);
	await person.shows(".watching");
	tally.check("a table that may be watched is watched from the list",
		await page.locator("main.waiting .people li").count() > 0);
}

/** After the game: what the spectator has seen, and what the browser keeps. */
export async function checkWatched(tally, person) {
	const { page } = person;
	await person.shows(".ending");
	const { hands, board, controls } = await seen(person);
	tally.check("a spectator sees a whole game", board.length >= 5 &&
		await page.locator(".reveal .card[role=img]").count() >= 15, board);
	tally.check("and no hand before the showdown", hands.length === 0, hands);
	tally.check("and no control of a player", controls.length === 0, controls);
	tally.check("the page says all the time that one watches",
		await page.locator(".watching").count() === 1);
	tally.check("and keeps nothing of the game",
		(await person.seats()).length === 0);
}

/** The link for spectators, from a player's menu, leads to the same table. */
export async function checkLink(tally, player, spectator) {
	await player.page.click(".bar button.icon");
	await player.page.click("dialog.sheet .stack button:has(+ button:last-of-type)");
	const link = await player.page.locator("dialog .link").textContent();
	await player.page.keyboard.press("Escape");
	tally.check("the menu has the link for spectators", link.split("#")[1] ===
		spectator.page.url().split("#")[1], link);
	await spectator.page.goto("about:blank");
	await spectator.page.goto(link);
	await spectator.page.evaluate(noteSight);
	await until(async () => (await spectator.page.$$(".watching")).length,
		"the table by its link");
}
