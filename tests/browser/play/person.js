// person.js - a person with a browser of their own (a context), and a record of
// all that it said and asked for.
import { look, step } from "./hand.js";
import { until } from "./tally.js";

// A move that another one came before; a request of a page without a network.
const HARMLESS = /status of 409|ERR_INTERNET_DISCONNECTED/;
const SEAT = "gangd.seat.";

/** Counts, inside the page, all that moves by itself. */
function countMotions() {
	window.motions = 0;
	const animate = Element.prototype.animate;
	Element.prototype.animate = function (...told) {
		window.motions += 1;
		return animate.apply(this, told);
	};
	for (const type of ["animationstart", "transitionstart"])
		addEventListener(type, () => { window.motions += 1; }, true);
}

export class Person {
	said = [];
	asked = new Set();

	/** `device` is what the context shall be: viewport, locale, colorScheme. */
	static async come(browser, base, name, device) {
		const person = new Person();
		const context = await browser.newContext({ baseURL: base, ...device });
		await context.addInitScript(countMotions);
		Object.assign(person, { base, name, device, context });
		await person.openTab();
		return person;
	}

	async openTab() {
		this.page = await this.context.newPage();
		this.page.setDefaultTimeout(30e3);
		this.page.on("console", (message) => {
			if (!HARMLESS.test(message.text()))
				this.said.push(message.text());
		});
		this.page.on("pageerror", (error) => this.said.push(`${error.stack}`));
		this.page.on("request", (request) => this.asked.add(request.url()));
		await this.page.goto(`${this.base}/`);
		await this.page.waitForSelector(".home input[name=name]");
	}

	/** The tab is closed while a game goes on, and a new one leads back to it. */
	async loseTab() {
		await this.page.close();
		await this.openTab();
		await this.page.click("a.row[href*='#/game/']");
		await this.shows("main.gang");
	}

	/** Has no network while the others do something. */
	async loseNetwork(meanwhile) {
		await this.context.setOffline(true);
		await meanwhile();
		await this.context.setOffline(false);
	}

	/** Whether the page shows the service's newest view of the chips. */
	async isUpToDate() {
		const { heist } = await this.view();
		const shown = await this.page.evaluate(() =>
			[...document.querySelectorAll(".tray [data-fly]")].length);
		return shown === heist.chips.filter(({ color, seat }) =>
			color === heist.color && seat === null).length;
	}

	/** The faults of the whole page: its errors, requests to other sites, a
	 * foreign language, and how many texts had a token. */
	async faults() {
		const tokens = (await this.seats()).map(({ token }) => token);
		const addresses = [...this.asked];
		return {
			said: this.said,
			elsewhere: addresses.filter((url) => !/^(data|blob):/.test(url) &&
				!url.startsWith(`${this.base}/`)),
			isForeign: await this.page.evaluate(() =>
				document.documentElement.lang) !== this.device.locale,
			leaked: [...addresses, ...this.said, this.page.url()].filter((text) =>
				tokens.some((token) => text.includes(token))).length,
		};
	}

	/** The seats that the browser keeps. */
	seats() {
		return this.page.evaluate((prefix) => Object.entries(localStorage)
			.filter(([key]) => key.startsWith(prefix))
			.map(([, value]) => JSON.parse(value)), SEAT);
	}

	/** The view, as the service gives it to the seat of the page's game. */
	async view() {
		const id = this.page.url().split("/").pop();
		const seat = (await this.seats()).find((each) => each.id === id);
		const answer = await fetch(`${this.base}/v1/games/${id}`, {
			headers: { Authorization: `Bearer ${seat.token}` } });
		return answer.json();
	}

	/** Does one thing, by step() or familyStep(). */
	do(plan = {}, hand = step) {
		return this.page.evaluate(hand, plan);
	}

	look() {
		return this.page.evaluate(look);
	}

	/** Waits until the page shows something. */
	shows(selector) {
		return this.page.waitForSelector(selector);
	}

	until(what) {
		return until(async () => (await this.look())[what], what);
	}
}
