// storage.js - what the browser keeps for this page.  A reader may forbid that, and
// then even asking throws: it lasts as long as the page.
export const storage = (() => {
	try {
		localStorage.getItem("");
		return localStorage;
	} catch {
		const kept = new Map();
		return {
			getItem: (key) => kept.get(key) ?? null,
			setItem: (key, value) => kept.set(key, value),
			removeItem: (key) => kept.delete(key),
			key: (at) => [...kept.keys()][at],
			get length() { return kept.size; },
		};
	}
})();
