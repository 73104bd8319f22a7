// main.js - begins, and shows the page that the address names:
//   #/            the entrance        #/create     a new game
//   #/join/CODE   an invitation       #/game/ID    a game
//   #/watch/ID    the same for a spectator
//   #/seat/ID/CODE    a seat that another device gives
import { createPage } from "./create.js";
import { devicePage } from "./device.js";
import { h } from "./dom.js";
import { gamePage, watchPage } from "./game.js";
import { homePage } from "./home.js";
import { joinPage } from "./join.js";
import { keepNotices, renewPush } from "./push.js";
import { keepRules, loadRules } from "./rules.js";
import { base } from "./service.js";
import { told } from "./status.js";
import { speakLanguage, t } from "./text.js";

const PAGES = {
	"": homePage,
	create: createPage,
	join: joinPage,
	game: gamePage,
	watch: watchPage,
	seat: devicePage,
};

let leave = () => {};

/** Each page draws into the root it gets, and returns what ends it. */
function show() {
	const [, name = "", ...words] = location.hash.split("/");
	const page = Object.hasOwn(PAGES, name) ? PAGES[name] : homePage;
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
	speakLanguage();
	draw();
	await loadRules();
	redraw();
	// Without them the table is as good.
	keepNotices().then(renewPush).catch(() => {});
});

// Without a service worker (plain HTTP), the table needs the network.
navigator.serviceWorker?.register(new URL("table/worker.js", base),
	{ scope: base.pathname }).catch(() => {});
// The first one comes after the rules, and has to see them to keep them.
navigator.serviceWorker?.addEventListener("controllerchange", () =>
	keepRules().catch(() => {}));

addEventListener("hashchange", told(show));
addEventListener("language", speak(redraw));
speak(show)();
