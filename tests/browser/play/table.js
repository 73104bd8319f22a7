// table.js - people at one table: sitting down, and playing a game to its end.

const RANKINGS = ["high_card", "pair", "two_pair", "three_of_a_kind", "straight",
	"flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"];
const RANKS = "23456789TJQKA";
const STUCK_MS = 30e3;

/** The first creates a table by the page's form, the others join by its code,
 * one by the link and one by typing it.  A full table begins by itself; one with
 * a `spare` seat is started.  `look(name)` sees each kind of screen.  A table that
 * is `open` is listed, and may be watched; `meanwhile` runs when it waits. */
export async function sitDown(people, { mode, bots = 0, spare = 0, open = false,
	meanwhile = async () => {}, look = async () => {} }) {
	const [host, ...guests] = people;
	for (const { page, name } of people)
		await page.fill("input[name=name]", name);
	await host.page.click("a[href='#/create']");
	const pick = (field, value) =>
		host.page.check(`input[name=${field}][value='${value}']`, { force: true });
	await host.shows("input[name=mode]");
	if (mode === "famiglia") {
		await pick("ruleset", mode);
	} else {
		await pick("mode", mode);
		await pick("seats", people.length + bots + spare);
	}
	if (bots > 0)
		await pick("bots", bots);
	await look("create");
	if (open) {
		await host.page.click(".more summary");
		for (const box of await host.page.$$(".more .toggle input"))
			await box.check();
	}
	await host.page.click("form .primary");
	await host.shows(".code");
	await meanwhile();
	const code = await host.page.evaluate(() =>
		document.querySelector(".code").lastChild.data);
	for (const [at, { page, name }] of guests.entries()) {
		if (at === 0) {
			await page.evaluate((hash) => { location.hash = hash; },
				`#/join/${code.replace("-", "")}`);
		} else {
			await page.fill("#code", code);
			await page.click(".by-code button");
		}
		await page.waitForSelector(".form input[name=name]");
		if (at === 0)
			await look("join");
		await page.fill("input[name=name]", name);
		await page.click(".form .primary");
		await page.waitForSelector(".waiting, .gang");
	}
	if (spare > 0) {
		await host.shows(".dock .primary");
		await look("waiting");
		await host.page.click(".dock .primary");
	}
	await Promise.all(people.map((person) => person.until("isPlaying")));
}

/** All go on with the next game, which the first one asks for. */
export async function rematch([host, ...guests]) {
	await host.page.click(".ending .primary");
	for (const { page } of guests)
		await page.click(".ending > .primary");
	await Promise.all([host, ...guests].map((person) => person.until("isPlaying")));
}

/** The seats from the weakest hand to the strongest, as their own views tell. */
async function order(people) {
	const strength = ({ you }) => [RANKINGS.indexOf(you.ranking),
		...(you.best_five ?? []).map(([rank]) => RANKS.indexOf(rank))];
	const hands = await Promise.all(people.map(async (person) =>
		({ person, hand: strength(await person.view()) })));
	hands.sort((a, b) => a.hand.map((part, at) => part - b.hand[at])
		.find((difference) => difference !== 0) ?? 0);
	return hands.map(({ person }) => person);
}

/** The red chips that people want: as strong as their hands, or the other way
 * round.  Bots have the others. */
async function wishes(people, isToWin, seats) {
	const weakestFirst = await order(people);
	const sorted = isToWin ? weakestFirst : weakestFirst.reverse();
	const above = seats - people.length;
	return new Map(sorted.map((person, at) =>
		[person, isToWin ? at + 1 + above : at + 1]));
}

/** Plays on until `isDone(what the first sees)`; people try to win the heists of
 * which `isToWin(number)` says so. */
export async function play(people, { isDone, isToWin = () => true, isBold = true,
	seats = people.length, hand }) {
	let heist = 1;
	let wasOver = false;
	let stars;
	let movedAt = Date.now();
	for (;;) {
		const seen = await people[0].look();
		if (isDone(seen))
			return seen;
		if (wasOver && !seen.isOver) {
			stars = undefined;
			heist += 1;
		}
		wasOver = seen.isOver;
		if (seen.color === "red" && !seen.isOver)
			stars ??= await wishes(people, isToWin(heist), seats);
		const did = [];
		for (const [at, person] of people.entries())
			did.push(await person.do({ star: stars?.get(person),
				color: seen.color, isHost: at === 0 && seen.isOver,
				isBold: isBold && at === 0 }, hand));
		if (did.some(Boolean))
			movedAt = Date.now();
		else if (Date.now() - movedAt > STUCK_MS)
			throw new Error("the game does not go on");
	}
}
