// status.js - what the page shows next to the game: short notes, news for screen
// readers, and why a request failed.
import { Problem } from "../client/index.js";
import { h } from "./dom.js";
import { problemText } from "./rules.js";
import { t } from "./text.js";

const NOTE_MS = 5000;
const NEWS_KEPT = 20;

/** Shows a note for some seconds. */
export function toast(text, kind = "plain") {
	const note = h("p", { class: `toast ${kind}` }, text);
	document.getElementById("toasts").replaceChildren(note);
	setTimeout(() => note.remove(), NOTE_MS);
}

/** Passes sentences to screen readers. */
export function announce(sentences) {
	const news = document.getElementById("news");
	news.append(...sentences.map((sentence) => h("p", {}, sentence)));
	while (news.childElementCount > NEWS_KEPT)
		news.firstChild.remove();
}

/** Tells why something failed. */
export async function tellError(error) {
	if (error?.name === "AbortError")
		return;
	toast(await errorText(error), error.status === 409 ? "plain" : "bad");
}

/** Why something failed, in words. */
export const errorText = async (error) => error instanceof Problem ?
	problemText(error) : t("no_connection");

/** A handler that shows why it failed. */
export const told = (action) => async (event) => {
	event?.preventDefault?.();
	try {
		await action(event);
	} catch (error) {
		tellError(error);
	}
};
