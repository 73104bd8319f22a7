// Gives the page its tabs, its colours and, if the service was built with it, the
// viewer of the contract.  Without this script the page has all else to read.
"use strict";

const WRITTEN = "http://127.0.0.1:8080"; // the service's address in the examples
const base = location.origin + location.pathname.replace(/\/docs$/, "");
const place = document.getElementById("contract");

function element(kind, properties, ...children) {
	const made = Object.assign(document.createElement(kind), properties);
	made.append(...children);
	return made;
}

// Calls it now, and whenever the answer changes.
function whenever(query, tell) {
	const media = matchMedia(query);
	media.addEventListener("change", () => tell(media.matches));
	tell(media.matches);
}

// --- the examples ------------------------------------------------------------

function nameService(code) {
	for (const node of code.childNodes)
		if (node.textContent.includes(WRITTEN))
			node.textContent = node.textContent.replace(WRITTEN, base);
}

function addCopy(block) {
	const button = element("button", { type: "button" }, "Copy");
	button.addEventListener("click", async () => {
		await navigator.clipboard.writeText(
			block.querySelector("code").textContent);
		button.textContent = "Copied";
		setTimeout(() => { button.textContent = "Copy"; }, 2000);
	});
	block.querySelector("h4").after(button);
}

// Narrow pages show one language: the reader's.
function addLanguages(examples) {
	const group = element("div", { className: "languages" });
	const choose = (language) => {
		examples.dataset.language = language;
		for (const button of group.children)
			button.ariaPressed = button.value === language;
	};
	group.role = "group";
	group.ariaLabel = "Language of the examples";
	for (const [value, name] of [["sh", "curl"], ["js", "JavaScript"]]) {
		const button = element("button", { type: "button", value }, name);
		button.addEventListener("click", () => choose(value));
		group.append(button);
	}
	choose(examples.dataset.language);
	return group;
}

// One example at a time, chosen by a tab; arrows go from tab to tab.
function addTabs(examples) {
	const panels = [...examples.querySelectorAll(".example")];
	const list = element("div", { className: "tabs", role: "tablist" });
	const choose = (at) => panels.forEach((panel, index) => {
		const tab = list.children[index];
		panel.hidden = index !== at;
		tab.ariaSelected = index === at;
		tab.tabIndex = index === at ? 0 : -1;
	});
	list.ariaLabel = "Requests";
	for (const [index, panel] of panels.entries()) {
		const tab = element("button", { type: "button", role: "tab",
			id: `${panel.id}-tab` },
		panel.querySelector("h3").textContent);
		tab.setAttribute("aria-controls", panel.id);
		tab.addEventListener("click", () => choose(index));
		panel.role = "tabpanel";
		panel.setAttribute("aria-labelledby", tab.id);
		list.append(tab);
	}
	list.addEventListener("keydown", (event) => {
		const at = [...list.children].indexOf(document.activeElement);
		const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0,
			End: panels.length - 1 }[event.key];
		if (to === undefined)
			return;
		event.preventDefault();
		choose((to + panels.length) % panels.length);
		list.querySelector("[tabindex='0']").focus();
	});
	choose(0);
	const heading = examples.querySelector(".heading");
	heading.append(addLanguages(examples));
	heading.after(list);
	examples.classList.add("tabbed");
}

// --- the side list -----------------------------------------------------------

function addSide(side) {
	let isWide = true;
	whenever("(min-width: 1000px)", (is) => {
		isWide = is;
		side.open = is;
	});
	side.addEventListener("click", (event) => {
		if (event.target.closest("a") && !isWide)
			side.open = false;
	});
}

// --- the viewer --------------------------------------------------------------

// The viewer follows the address when it begins; a later link is followed here.
function follow(ui) {
	const [, tag, operation] = location.hash.match(/^#\/(\w+)\/(\w+)$/) ?? [];
	if (operation) {
		ui.layoutActions.show(["operations-tag", tag], true);
		ui.layoutActions.show(["operations", tag, operation], true);
		document.getElementById(`operations-${tag}-${operation}`)
			?.scrollIntoView();
	}
}

// The list grows when the viewer takes its place: what was linked to moves.
function scrollAgain() {
	if (/^#[\w-]+$/.test(location.hash))
		document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

async function addViewer() {
	// A cached contract may be a day old; this page belongs to the service.
	const answer = await fetch("openapi.json", { cache: "no-cache" });
	const contract = await answer.json();
	contract.servers = [{ url: base }];
	delete contract.info.description; // the page has it, after the operations
	const ui = SwaggerUIBundle({
		spec: contract,
		domNode: place,
		deepLinking: true,
		defaultModelsExpandDepth: 0,
		validatorUrl: null, // nothing is asked of anybody else
		onComplete: scrollAgain,
	});
	addEventListener("hashchange", () => follow(ui));
}

whenever("(prefers-color-scheme: dark)", (is) => {
	document.documentElement.classList.toggle("dark-mode", is);
});
addSide(document.querySelector(".side details"));
document.querySelectorAll(".example pre code").forEach(nameService);
if (navigator.clipboard)
	document.querySelectorAll(".example .code").forEach(addCopy);
addTabs(document.getElementById("examples"));
if (window.SwaggerUIBundle)
	addViewer();
