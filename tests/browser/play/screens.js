// screens.js - looks at each kind of screen: with axe, light and dark, and as
// pictures of some widths.
import { mkdir } from "node:fs/promises";
import axe from "axe-core";

const SCHEMES = ["light", "dark"];
const WIDTHS = { 360: 740, 768: 1024, 1440: 900 };

/** The findings of axe, one a line.  The second scheme changes colours only. */
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

/** Inside a page: the texts that do not fit, one line each: those wider than their
 * place, those that stick out of the window, and those that lie over others.  Names
 * of players may be shortened, and what floats may lie over the page. */
function misfits() {
	const root = document.querySelector("dialog[open]") ?? document.body;
	const { clientWidth: width } = document.documentElement;
	const found = [];
	const texts = [];
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const text = walker.currentNode;
		const node = text.parentElement;
		if (!text.data.trim() || !node.checkVisibility() ||
			node.closest("svg, select, noscript, .name, .unseen, #toasts"))
			continue;
		const layer = node.closest(".bar, .dock, .moves");
		const range = document.createRange();
		range.selectNodeContents(text);
		if (node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1)
			found.push(`too long: ${text.data}`);
		for (const box of range.getClientRects()) {
			if (box.left < -1 || box.right > width + 1)
				found.push(`outside: ${text.data}`);
			texts.push({ text, box, layer });
		}
	}
	const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
	for (const [at, one] of texts.entries()) {
		const other = texts.slice(at + 1).find(({ text, box, layer }) =>
			text !== one.text && layer === one.layer && overlap(box, one.box));
		if (other)
			found.push(`over another: ${one.text.data} / ${other.text.data}`);
	}
	return [...new Set(found)];
}

export class Screens {
	/** The findings of axe, by the name of the screen. */
	found = new Map();
	/** Elements that do not fit on a telephone, by the name of the screen. */
	misfits = new Map();

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
		const usual = page.viewportSize();
		await page.setViewportSize({ width: 360, height: WIDTHS[360] });
		this.misfits.set(name, await page.evaluate(misfits));
		await page.setViewportSize(usual);
		await page.emulateMedia({ colorScheme: own });
	}

	/** The findings about a text with this style. */
	async findsPlanted(page, style) {
		await page.evaluate((look) => {
			const text = document.createElement("p");
			text.id = "planted";
			text.textContent = "pale_and_too_long_for_its_place";
			text.style = look;
			document.querySelector("main").append(text);
		}, style);
		const found = [...await findings(page, "dark"),
			...await page.evaluate(misfits)];
		await page.evaluate(() => document.getElementById("planted")?.remove());
		return found.join("\n");
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
		const long = names.filter((name) => this.misfits.get(name)?.length !== 0);
		tally.check("all texts fit on a telephone", long.length === 0,
			long.map((name) => [name, this.misfits.get(name)]));
	}
}
