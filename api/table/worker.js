// worker.js - a service worker that keeps the page and its files, so that the table
// starts without a network.  Of the service's answers it keeps the rules, which
// are the same for everybody, and nothing of any game.  It also shows the
// notifications of games.
const CACHE = "gangd-table";
const FILE = /table\/[\w-]+\.[0-9a-f]{20}\.\w+/g;

// This file lies in table/.
const root = new URL("..", location.href).href;

/** What stands in an address behind the root of the service, without the
 * fragment, which may have a token. */
const pathOf = ({ url }) => url.startsWith(root) ?
	url.slice(root.length).split("#")[0] : undefined;

/** Keeps the page, and all that it names. */
async function keepShell() {
	const cache = await caches.open(CACHE);
	const page = await fetch(root);
	await cache.put(root, page.clone());
	await cache.addAll([...new Set((await page.text()).match(FILE))]
		.map((path) => root + path));
}

/** Forgets the files that the page has under another name now. */
async function dropOld(page) {
	const named = new Set((await page.text()).match(FILE));
	const stems = new Set([...named].map((path) => path.split(".")[0]));
	const cache = await caches.open(CACHE);
	for (const request of await cache.keys()) {
		const path = pathOf(request);
		if (path && !named.has(path) && stems.has(path.split(".")[0]))
			await cache.delete(request);
	}
}

/** A file never changes under its name. */
async function cachedFirst(request) {
	const cache = await caches.open(CACHE);
	const kept = await cache.match(request);
	if (kept)
		return kept;
	const response = await fetch(request);
	if (response.ok) {
		await dropFormer(cache, request);
		await cache.put(request, response.clone());
	}
	return response;
}

/** Forgets a file that the page does not name, such as a language, by its name
 * before this one. */
async function dropFormer(cache, request) {
	const plain = ({ url }) => url.replace(/\.[0-9a-f]{20}\./, ".");
	for (const kept of await cache.keys()) {
		if (plain(kept) === plain(request))
			await cache.delete(kept);
	}
}

/** What may change is asked for, and taken as it was if nobody answers. */
async function newestFirst(request, path) {
	const cache = await caches.open(CACHE);
	try {
		const response = await fetch(request);
		if (response.ok) {
			await cache.put(root + path, response.clone());
			if (path === "")
				await dropOld(response.clone());
		}
		return response;
	} catch (error) {
		const kept = await cache.match(root + path);
		if (kept)
			return kept;
		throw error;
	}
}

addEventListener("install", (event) => {
	self.skipWaiting();
	event.waitUntil(keepShell());
});

addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

addEventListener("fetch", (event) => {
	const { request } = event;
	const path = pathOf(request);
	if (request.method !== "GET" || path === undefined)
		return;
	if (path.search(FILE) === 0)
		event.respondWith(cachedFirst(request));
	else if (path === "" || path.startsWith("v1/rules/"))
		event.respondWith(newestFirst(request, path));
});

// --- notifications ----------------------------------------------------------

const ANSWER_MS = 1000;

/** The windows of the table, which may have other pages of the service beside. */
const tables = async () => (await self.clients.matchAll({ type: "window",
	includeUncontrolled: true })).filter((each) => pathOf(each) === "");

/** Whether a window shows a game, as its page says: not every browser keeps the
 * window's address up to date. */
const shows = (client, game) => new Promise((resolve) => {
	const { port1, port2 } = new MessageChannel();
	port1.onmessage = ({ data }) => resolve(data);
	setTimeout(resolve, ANSWER_MS, false);
	client.postMessage({ asked: game }, [port2]);
});

async function findWindow(windows, game) {
	const answers = await Promise.all(windows.map((each) => shows(each, game)));
	return windows[answers.indexOf(true)];
}

/** The page keeps the texts, in the reader's language: push.js. */
async function textsOf() {
	const cache = await caches.open(CACHE);
	const kept = await cache.match(`${root}notices`);
	return kept ? kept.json() : { title: "gangd", texts: {} };
}

/** Tells what happened, unless the reader sees it.  The newest notification of a
 * game takes the place of the one before. */
async function tell({ game, code, version }) {
	const visible = (await tables()).filter((each) =>
		each.visibilityState === "visible");
	if (await findWindow(visible, game))
		return;
	const { registration } = self;
	const shown = await registration.getNotifications({ tag: game });
	if (shown.some(({ data }) => data.version > version))
		return;
	const { title, lang, texts } = await textsOf();
	await registration.showNotification(title, { lang, tag: game, renotify: true,
		body: texts[code] ?? texts.changed, data: { game, version } });
}

/** Shows the game, in a window that is there or in a new one. */
async function openGame({ game }) {
	const windows = await tables();
	const found = await findWindow(windows, game) ?? windows[0];
	if (!found) {
		await self.clients.openWindow(`${root}#/game/${game}`);
		return;
	}
	found.postMessage({ open: game });
	await found.focus();
}

addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));

addEventListener("notificationclick", (event) => {
	event.notification.close();
	event.waitUntil(openGame(event.notification.data));
});

// The tokens, with which a new subscription is sent, are where only a page reads
// them: one that is open, or else the next one.
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(
	tables().then((windows) => windows.forEach((each) =>
		each.postMessage({ isLost: true })))));
