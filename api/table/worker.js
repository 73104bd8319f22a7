// worker.js - a service worker that keeps the page, so that the table starts without
// a network.  It keeps only one of the service's answers, the rules, which are the same
// for every player, and nothing of any game.  It also shows the notifications of games.
//
// The page contains all its parts, so each release starts without other files.
// Releases that serve at the same time may have different workers: all of them
// keep the same things under the same names, and never reload a page.  A newer one
// takes over when the last page of the older one is closed.
const CACHE = "gangd-table";
const ANSWERED_MS = 3000;

// This file lies in table/.
const root = new URL("..", location.href).href;

/** The part of an address after the root of the service, without the fragment,
 * which may have a token.  Messengers append parameters to the page's address. */
function pathOf({ url }) {
	if (!url.startsWith(root))
		return undefined;
	const path = url.slice(root.length).split("#")[0];
	return path.startsWith("?") ? "" : path;
}

async function keepPage() {
	const page = await fetch(root);
	if (!page.ok || page.redirected)
		throw new Error(page.status);
	await (await caches.open(CACHE)).put(root, page);
}

/** Forgets the files of releases whose page had them under names with a hash. */
async function dropFiles() {
	const cache = await caches.open(CACHE);
	const kept = await cache.keys();
	await Promise.all(kept.filter((each) => pathOf(each)?.startsWith("table/"))
		.map((each) => cache.delete(each)));
}

/** The newest answer, which is kept as a whole before it is given. */
async function ask(request, cache, key) {
	const response = await fetch(request);
	if (response.ok) // show the answer even if the disk is full
		await cache.put(key, response.clone()).catch(() => {});
	return response;
}

const isForNow = ({ status }) => status === 429 || status >= 500;

/** Requests a resource that may change; the stored one is used if the service fails
 * or does not answer in time.  A later answer is still stored. */
async function newestFirst(event, key) {
	const cache = await caches.open(CACHE);
	const kept = await cache.match(key);
	const asked = ask(event.request, cache, key);
	if (!kept)
		return asked;
	const answered = asked.then((response) => isForNow(response) ? kept : response,
		() => kept);
	event.waitUntil(answered);
	return Promise.race([answered, new Promise((resolve) => {
		setTimeout(resolve, ANSWERED_MS, kept);
	})]);
}

addEventListener("install", (event) => event.waitUntil(keepPage()));

addEventListener("activate", (event) =>
	event.waitUntil(Promise.all([dropFiles(), self.clients.claim()])));

addEventListener("fetch", (event) => {
	const path = pathOf(event.request);
	if (event.request.method === "GET" &&
		(path === "" || path?.startsWith("v1/rules/")))
		event.respondWith(newestFirst(event, root + path));
});

// --- notifications ----------------------------------------------------------

const ANSWER_MS = 1000;

/** The windows of the table, among other pages of the service. */
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
async function tell({ game, code, version, host }) {
	const visible = (await tables()).filter((each) =>
		each.visibilityState === "visible");
	if (await findWindow(visible, game))
		return;
	const { registration } = self;
	const shown = await registration.getNotifications({ tag: game });
	if (shown.some(({ data }) => data.version > version))
		return;
	const { title, lang, texts } = await textsOf();
	const text = texts[code] ?? texts.changed;
	await registration.showNotification(title, { lang, tag: game, renotify: true,
		body: host ? `${host}: ${text}` : text, data: { game, version } });
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
