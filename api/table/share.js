// share.js - ways to hand a link on: a QR code, the system's dialog, the clipboard.
// Plain HTTP has neither dialog nor clipboard, so the copy is made of a selection.
import { qrArt } from "./drawings.js";
import { h } from "./dom.js";
import { toast } from "./status.js";
import { t } from "./text.js";

/** A link with all of them; `name` is that of its QR code. */
export function sharing(link, name = t("code_of_link")) {
	const shown = h("p", { class: "link" }, link);
	const copy = () => copyLink(link, shown);
	return [qrArt(link, name),
		h("div", { class: "pair" },
			navigator.share && h("button", { onclick: () => share(link, copy) },
				t("share")),
			h("button", { onclick: copy }, t("copy_link"))),
		shown];
}

async function share(url, copy) {
	try {
		await navigator.share({ title: t("title"), url });
	} catch (error) {
		if (error.name !== "AbortError") // the reader cancelled
			await copy();
	}
}

async function copyLink(link, shown) {
	try {
		await navigator.clipboard.writeText(link);
		toast(t("copied"));
	} catch {
		select(shown.isConnected ? shown : document.querySelector(".link"));
		toast(document.execCommand("copy") ? t("copied") : t("copy_selected"));
	}
}

function select(node) {
	const range = document.createRange();
	range.selectNodeContents(node);
	getSelection().removeAllRanges();
	getSelection().addRange(range);
}

// The browsers of messengers and networks, by what they call themselves; and views of
// other apps: Android says "wv", and only iOS's own browsers say "Safari".
const IN_APP = [/\b(FBAN|FBAV|FB_IAB|Instagram|Line|WhatsApp|Snapchat|Telegram)\b/,
	/\b(TwitterAndroid|MicroMessenger|KAKAOTALK|LinkedInApp|BytedanceWebview)\b/,
	/; wv\)|\((iPhone|iPad)(?!.*Safari\/)/];

/** A hint for the browser of another app, which has seats of its own. */
export const inAppHint = () =>
	IN_APP.some((app) => app.test(navigator.userAgent)) &&
		h("p", { class: "quiet" }, t("in_app"));
