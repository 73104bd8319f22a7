// waking.js - the moments at which a network may be back: a page comes into view,
// out of its cache, or online.  Timers of a phone that sleeps do not run, and what it
// had open may be dead without a sign.

/** @typedef {"seen" | "online" | "offline"} Moment */

const listeners = /** @type {Set<(moment: Moment) => void>} */ (new Set());

/** Tells all that wait or read that the network may be back, or has changed.  A page
 * does so by itself; other programs call it, such as an app that comes to the front.
 * @param {Moment} [moment] */
export function wake(moment = "online") {
	for (const listener of [...listeners])
		listener(moment);
}

/** Listens until the returned function is called.
 * @param {(moment: Moment) => void} listener */
export function onWake(listener) {
	listeners.add(listener);
	return () => {
		listeners.delete(listener);
	};
}

if (globalThis.document) {
	addEventListener("online", () => wake("online"));
	addEventListener("offline", () => wake("offline"));
	addEventListener("pageshow", () => wake("seen"));
	document.addEventListener("resume", () => wake("seen"));
	document.addEventListener("visibilitychange", () =>
		document.visibilityState === "visible" && wake("seen"));
}
