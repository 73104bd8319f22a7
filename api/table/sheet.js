// sheet.js - dialogs over the page.
import { h, patch } from "./dom.js";
import { icon } from "./drawings.js";
import { t } from "./text.js";

/** Opens a dialog; `title()` names it, and `fill(close)` gives its contents.  It is
 * gone when it closes.  Returns what draws it anew, and what closes it. */
export function openSheet(title, fill) {
	const leaving = new AbortController();
	const { signal } = leaving;
	const sheet = h("dialog", { class: "sheet", tabindex: -1 });
	const close = () => sheet.close();
	const draw = () => {
		if (signal.aborted)
			return;
		sheet.setAttribute("aria-label", title());
		patch(sheet, h("header", {}, h("h2", {}, title()),
			h("button", { class: "icon", onclick: close, title: t("close"),
				"aria-label": t("close") }, icon("cross"))),
		h("div", { class: "sheet-body" }, fill(close)));
	};
	// A page that is left takes its dialogs along.
	addEventListener("hashchange", close, { signal });
	addEventListener("texts", draw, { signal });
	sheet.onclose = () => {
		leaving.abort();
		sheet.remove();
	};
	sheet.onclick = ({ target }) => {
		if (target === sheet) // and not its contents
			close();
	};
	document.body.append(sheet);
	draw();
	sheet.showModal();
	sheet.focus();
	return { draw, close };
}
