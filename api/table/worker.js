// worker.js - a service worker that keeps the page and its files, so that the table
// starts without a network.  Of the service's answers it keeps the rules, which
// are the same for everybody, and nothing of any game.
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
