// main.js - begins, and shows the page that the address names:
//   #/            the entrance        #/create     a new game
//   #/join/CODE   an invitation       #/game/ID    a game
//   #/watch/ID    the same for a spectator
//   #/seat/ID/CODE    a seat that another device gives
import { h } from "./dom.js";
import { gamePage, watchPage } from "./game.js";
import { keepNotices, renewPush } from "./push.js";
import { keepRules, loadRules } from "./rules.js";
import { base } from "./service.js";
import { tellError, told } from "./status.js";
import { keepTexts, loadTexts, t } from "./text.js";

// A game is drawn at once; the modules of the other pages come when they are asked
// for.
const PAGES = {
	"": async () => (await import("./home.js")).homePage,
	create: async () => (await import("./create.js")).createPage,
	join: async () => (await import("./join.js")).joinPage,
	game: () => gamePage,
	watch: () => watchPage,
	seat: async () => (await import("./device.js")).devicePage,
};

let leave = () => {};

/** Each page draws into the root it gets, and returns what ends it. */
async function show() {
	const { hash } = location;
	const [, name = "", ...words] = hash.split("/");
	const page = await (Object.hasOwn(PAGES, name) ? PAGES[name] : PAGES[""])();
	if (hash !== location.hash)
		return; // another page is asked for since
	leave();
	const root = h("div", { class: `page ${name || "home"}` });
	document.getElementById("page").replaceChildren(root);
	document.title = t("title");
	window.scrollTo(0, 0);
	leave = page(root, ...words) ?? (() => {});
}

/** The page that is there draws itself anew, and keeps what the reader does. */
const redraw = () => dispatchEvent(new Event("texts"));

/** Draws in the reader's language, and again when the texts of the game have come. */
const speak = (draw) => told(async () => {
	await loadTexts().catch(tellError);
	await draw();
	await loadRules();
	redraw();
	// Without them the table is as good.
	keepNotices().then(renewPush).catch(() => {});
});

// Where there is no service worker (plain HTTP), the table needs the network.
navigator.serviceWorker?.register(new URL("worker.js", import.meta.url),
	{ scope: base.pathname }).catch(() => {});
// The first one comes after the texts, and has to see them to keep them.
navigator.serviceWorker?.addEventListener("controllerchange", () =>
	Promise.all([keepTexts(), keepRules()]).catch(() => {}));

addEventListener("hashchange", told(show));
addEventListener("language", speak(redraw));
speak(show)();
