// games.js URL PREFIXED [famiglia] - people play whole games at the table of a service, as a
// person would: by what the page shows.  PREFIXED is the address of the service
// behind a proxy.  See test_play.py, which starts it.
import { launch } from "./browser.js";
import { familyStep } from "./family_hand.js";
import { checkLeaving, checkRival, checkSelf } from "./others.js";
import { Person } from "./person.js";
import { checkKeyboard, checkPointers } from "./reach.js";
import { Screens } from "./screens.js";
import { play, rematch, sitDown } from "./table.js";
import { Tally, until } from "./tally.js";
import { beginWatching, checkLink, checkWatched } from "./watch.js";

const isLong = process.env.MODES === "all";
const OFFLINE_MS = isLong ? 20e3 : 1500;

const FAMIGLIA_STEPS = 40;

// Drawing motion costs most of the time.
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true,
	isMobile: true, reducedMotion: "reduce" };
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true,
	reducedMotion: isLong ? "no-preference" : "reduce" };
const DESKTOP = { viewport: { width: 1440, height: 900 } };
// The finding about a text with this style.
const PLANTED = {
	"color-contrast": "color: #777; background: #888",
	"too long: pale": "width: 9em; overflow: hidden; overflow-wrap: normal",
	"outside: pale": "position: absolute; left: 90%; overflow-wrap: normal",
	" / pale": "position: absolute; bottom: 40px; left: 60px; margin: 0; " +
		"height: 60%; font-size: 40px",
};
// Beside advanced, of which the screens are looked at.
const MODES = [
	{ mode: "basic", isToWin: () => true },
	{ mode: "professional", bots: 2 },
	{ mode: "master_thief", bots: 1 },
];

const [base, prefixed, hasFamiglia] = process.argv.slice(2);
const tally = new Tally();
const browser = await launch();

/** The languages that the page offers. */
async function languagesOf() {
	const page = await browser.newPage();
	await page.goto(`${base}/`);
	await page.waitForSelector(".home");
	const codes = await page.evaluate(() =>
		[...document.querySelectorAll(".language option")]
			.map(({ value }) => value));
	await page.close();
	return codes.length > 0 ? codes : ["en"];
}

/** Three people, each with another device and language; one comes through the
 * proxy. */
const gather = (languages, first = 0) => Promise.all([
	["Ada", base, PHONE], ["Bob", prefixed, DESKTOP], ["Cleo", base, TABLET]]
	.map(([name, at, device], number) => Person.come(browser, at, name, { ...device,
		locale: languages[(first + number) % languages.length] })));

/** Check everybody's page at the end of a game. */
async function checkPeople(people, what) {
	const faults = await Promise.all(people.map((person) => person.faults()));
	const all = (member) => faults.flatMap((each) => each[member]);
	tally.check(`${what}: no console says a word`, all("said").length === 0,
		all("said").slice(0, 4));
	tally.check(`${what}: nothing is asked elsewhere`,
		all("elsewhere").length === 0, all("elsewhere").slice(0, 4));
	tally.check(`${what}: no address and no word has a token`,
		all("leaked").every((count) => count === 0));
	tally.check(`${what}: each has the language of the browser`,
		!all("isForeign").some(Boolean), all("isForeign"));
	await Promise.all(people.map(({ context }) => context.close()));
}

/** Cleo has no network while Bob moves, then Bob loses his tab. */
async function checkLosses([ada, bob, cleo]) {
	await cleo.loseNetwork(async () => {
		const lostAt = Date.now();
		await cleo.shows(".offline");
		await bob.do();
		await ada.do();
		await new Promise((wake) =>
			setTimeout(wake, OFFLINE_MS - (Date.now() - lostAt)));
	});
	tally.check("a page without network says so, and comes back", await until(
		async () => !await cleo.page.$(".offline"), "the network"));
	tally.check("and has missed nothing", await until(() => cleo.isUpToDate(),
		"the newest view"));
	await bob.loseTab();
	tally.check("a new tab leads back to the game", await until(async () =>
		(await bob.look()).isPlaying, "the game"));
}

/** One heist is lost, and the next one is played with a specialist; every kind of
 * screen is looked at on the way.  No bot may use the specialist. */
async function checkScreens(languages) {
	const people = await gather(languages, languages.length - 1);
	const [ada, bob, cleo] = people;
	const screens = new Screens(process.env.PICTURES);
	const see = (name, { page } = ada) => screens.look(page, name);
	await ada.page.waitForLoadState("networkidle"); // the rules redraw the page
	for (const [what, style] of Object.entries(PLANTED))
		tally.check(`a fault that is planted is found: ${what}`, (await screens
			.findsPlanted(ada.page, style)).includes(what), style);
	await see("home");
	await sitDown(people, { mode: "advanced", spare: 1, look: async (name) => {
		await see(name, name === "join" ? bob : ada);
		if (name === "waiting")
			await screens.picture(ada.page, "lobby");
	} });
	await see("play");
	await checkPointers(tally, bob, cleo);
	await checkLosses(people);
	const plan = { isToWin: () => false };
	await play(people, { ...plan, isDone: ({ color }) => color === "orange" });
	await cleo.do();
	await until(async () => (await bob.page.$$(".others button.chip")).length > 0,
		"Cleo's chip");
	await screens.picture(ada.page, "play");
	await play(people, { ...plan, isDone: ({ isOver }) => isOver });
	await see("showdown");
	await screens.picture(ada.page, "showdown");
	await play(people, { ...plan, isBold: false,
		isDone: ({ canPropose }) => canPropose });
	await ada.page.click(".ability > button");
	await ada.shows("dialog.sheet");
	await see("proposal");
	await ada.page.keyboard.press("Escape");
	await ada.page.click(".bar button.icon");
	await ada.shows("dialog.sheet .toggle");
	await see("menu");
	await screens.picture(ada.page, "menu");
	await ada.page.click("dialog.sheet .stack button:nth-child(2)");
	await ada.shows("dialog.sheet details.heist");
	await see("history");
	await ada.page.keyboard.press("Escape");
	const { end } = await play(people, { ...plan, isDone: (seen) => seen.end });
	tally.check("a game of advanced is lost by those who want to",
		end === "lost", end);
	await see("end");
	screens.check(tally, ["home", "create", "join", "waiting", "play", "showdown",
		"proposal", "menu", "history", "end"]);
	const [calm, usual] = await Promise.all([ada, bob].map(({ page }) =>
		page.evaluate("motions")));
	tally.check("reduced motion is honoured: nothing moves by itself",
		calm === 0 && usual > 0, [calm, usual]);
	await checkPeople(people, "advanced");
}

async function checkMode(languages, first, { mode, bots = 0, isToWin }) {
	const people = await gather(languages, first);
	await sitDown(people, { mode, bots });
	const plan = { seats: people.length + bots, isToWin,
		isDone: (seen) => seen.end };
	const { end } = await play(people, plan);
	tally.check(`a game of ${mode} is played to its end`,
		!isToWin || end === "won", end);
	await rematch(people);
	tally.check(`${mode}: all go on to the rematch`, true);
	await checkPeople(people, mode);
}

/** The one whose turn it is picks a card, sees its moves, and puts it back. */
async function checkTurn(people, screens) {
	const card = "button.gangster.free, .street button.gangster";
	let page;
	await until(async () => {
		for (const person of people)
			page ??= await person.page.$(card) && person.page;
		return Boolean(page);
	}, "somebody's turn");
	await page.click(card);
	await page.waitForSelector(".moves header");
	await screens.look(page, "famiglia, a turn");
	await screens.picture(page, "famiglia-turn");
	await page.click(".moves header button");
	tally.check("a card that was picked is put back", await until(async () =>
		!await page.$(".moves header"), "the card"));
}

/** Two people play Famiglia, on a telephone and a desktop. */
async function checkFamiglia(languages) {
	const people = (await gather(languages, 1)).slice(0, 2);
	const [ada] = people;
	const screens = new Screens(process.env.PICTURES);
	await sitDown(people, { mode: "famiglia" });
	const { ruleset, you } = await people[1].view();
	tally.check("the link of an invitation leads to a table of Famiglia",
		ruleset === "famiglia" && you.seat === 2);
	await screens.look(ada.page, "famiglia");
	await checkTurn(people, screens);
	let moves = 0;
	const plan = { hand: familyStep, isDone: ({ end }) =>
		end || (moves += 1) === FAMIGLIA_STEPS };
	await play(people, plan);
	await screens.look(ada.page, "famiglia, later");
	await screens.picture(ada.page, "famiglia");
	screens.check(tally, ["famiglia", "famiglia, a turn", "famiglia, later"]);
	if (isLong) {
		await play(people, { ...plan, isDone: ({ end }) => end });
		tally.check("a game of Famiglia is played to its end", true);
	}
	await checkPeople(people, "famiglia");
}

/** Check what people do besides playing. */
async function checkOthers(languages) {
	const dora = await Person.come(browser, base, "Dora",
		{ ...DESKTOP, locale: languages[0] });
	await checkRival(tally, dora);
	await checkSelf(tally, dora);
	await checkPeople([dora], "against a bot");
	const people = (await gather(languages, 2)).slice(0, 2);
	await checkLeaving(tally, people);
	await checkPeople(people, "leaving");
}

/** Eve, who has no seat, watches a game that is played to its end. */
async function checkSpectator(languages) {
	const people = await gather(languages, 1);
	const eve = await Person.come(browser, prefixed, "Eve",
		{ ...PHONE, locale: languages.at(-1) });
	const screens = new Screens(process.env.PICTURES);
	await sitDown(people, { mode: "basic", open: true,
		meanwhile: async () => {
			await eve.shows("a[href^='#/watch/']");
			await screens.look(eve.page, "tables");
			await beginWatching(tally, eve, people[0]);
			await screens.look(eve.page, "watching");
		} });
	screens.check(tally, ["tables", "watching"]);
	await checkLink(tally, people[1], eve);
	await play(people, { isDone: ({ end }) => end });
	await checkWatched(tally, eve);
	await checkPeople([...people, eve], "watching");
}

async function checkAlone(languages) {
	const person = await Person.come(browser, base, "Dora",
		{ ...DESKTOP, locale: languages.at(-2) ?? languages[0] });
	await checkKeyboard(tally, person);
	await checkPeople([person], "alone");
}

/** The rules in a language that is spoken once are there without a network, though
 * they came before the service worker. */
async function checkFirstVisit(languages) {
	const locale = languages.at(-1);
	const person = await Person.come(browser, base, "Emil", { ...PHONE, locale });
	const { page } = person;
	await until(() => page.evaluate(async (part) => {
		const cache = await caches.open("gangd-table");
		const kept = (await cache.keys()).map(({ url }) => url);
		return kept.some((url) => url.includes(part));
	}, `/v1/rules/modes?lang=${locale}`), "the texts in the cache");
	const headline = () => page.textContent(".home h1");
	const before = await headline();
	await person.loseNetwork(async () => {
		await page.reload();
		await person.shows(".home h1");
		tally.check("a page that was seen once starts without a network, in its " +
			"language", await headline() === before);
	});
	await checkPeople([person], "a first visit");
}

try {
	const languages = await languagesOf();
	await checkScreens(languages);
	await checkAlone(languages);
	await checkFirstVisit(languages);
	await checkOthers(languages);
	await checkSpectator(languages);
	if (hasFamiglia)
		await checkFamiglia(languages);
	for (const [at, mode] of isLong ? MODES.entries() : [])
		await checkMode(languages, at, mode);
} catch (error) {
	tally.check("the games are played", false, error.stack);
	for (const page of browser.contexts().flatMap((context) => context.pages()))
		console.log(await page.evaluate(() => document.body.innerText));
} finally {
	await browser.close();
}
tally.end();
