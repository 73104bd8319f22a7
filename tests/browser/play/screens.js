// screens.js - looks at each kind of screen: with axe, light and dark, and as
// pictures of some widths.
import { mkdir } from "node:fs/promises";
import axe from "axe-core";

const SCHEMES = ["light", "dark"];
const WIDTHS = { 360: 740, 768: 1024, 1440: 900 };

/** What axe finds, one line a finding.  The second scheme changes colours only. */
async function findings(page, scheme) {
	await page.emulateMedia({ colorScheme: scheme });
	const isLoaded = await page.evaluate(() => Boolean(window.axe));
	if (!isLoaded)
		await page.evaluate(axe.source);
	const rules = scheme === SCHEMES[0] ? {} :
		{ runOnly: { type: "rule", values: ["color-contrast"] } };
	return page.evaluate(async (options) => {
		const { violations } = await window.axe.run(document, options);
		return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
			`${id}: ${html.slice(0, 120)} ${any[0]?.message ?? ""}`));
	}, { ...rules, preload: false, resultTypes: ["violations"] });
}

export class Screens {
	/** What axe found, by the name of the screen. */
	found = new Map();

	/** Pictures go into the folder, if there is one. */
	constructor(folder) {
		this.folder = folder;
	}

	async look(page, name) {
		const own = await page.evaluate(() =>
			matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
		const all = this.found.get(name) ?? [];
		for (const scheme of SCHEMES)
			all.push(...(await findings(page, scheme))
				.map((finding) => `${scheme}: ${finding}`));
		this.found.set(name, all);
		await page.emulateMedia({ colorScheme: own });
	}

	/** Whether text that nobody can read is found. */
	async findsPlanted(page) {
		await page.evaluate(() => {
			const text = document.createElement("p");
			text.id = "planted";
			text.textContent = "pale";
			text.style = "color: #777; background: #888";
			document.querySelector("main").append(text);
		});
		const found = await findings(page, "dark");
		await page.evaluate(() => document.getElementById("planted")?.remove());
		return found.some((finding) => finding.startsWith("color-contrast"));
	}

	/** Pictures of all widths, light and dark. */
	async picture(page, name) {
		if (!this.folder)
			return;
		await page.waitForSelector(".toast", { state: "detached" });
		await mkdir(this.folder, { recursive: true });
		const usual = page.viewportSize();
		for (const [width, height] of Object.entries(WIDTHS)) {
			await page.setViewportSize({ width: +width, height });
			for (const scheme of SCHEMES) {
				await page.emulateMedia({ colorScheme: scheme });
				await page.screenshot({
					path: `${this.folder}/${name}-${width}-${scheme}.png` });
			}
		}
		await page.setViewportSize(usual);
		await page.emulateMedia({ colorScheme: null });
	}

	check(tally, names) {
		for (const name of names)
			tally.check(`axe finds nothing on the screen "${name}"`,
				this.found.get(name)?.length === 0,
				this.found.get(name)?.join("\n    ") ?? "it was not seen");
	}
}
