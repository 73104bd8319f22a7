// text.js - the page's own texts, in the reader's language.  A language is a file
// of its own, text_CODE.js, with the keys of text_en.js; a row of LANGUAGES makes
// it known.  Texts of the game itself come from the service: rules.js.
import { storage } from "./storage.js";
import { text as german } from "./text_de.js";
import { text as english } from "./text_en.js";
import { text as french } from "./text_fr.js";
import { text as russian } from "./text_ru.js";

// How each language calls itself, and its texts.
export const LANGUAGES = {
	en: { name: "English", text: english },
	de: { name: "Deutsch", text: german },
	fr: { name: "Français", text: french },
	ru: { name: "Русский", text: russian },
};

const STORED = "gangd.language";
let texts = english;
let plural = new Intl.PluralRules("en");
let list = new Intl.ListFormat("en");
export let language = "en";

/** The language that the reader chose, or else the browser's. */
function wanted() {
	const asked = [storage.getItem(STORED), ...navigator.languages ?? []];
	return asked.map((tag) => tag?.split("-")[0]).find((code) =>
		Object.hasOwn(LANGUAGES, code ?? "")) ?? "en";
}

/** Speaks the language that is wanted. */
export function speakLanguage() {
	language = wanted();
	texts = LANGUAGES[language].text;
	plural = new Intl.PluralRules(language);
	list = new Intl.ListFormat(language);
	document.documentElement.lang = language;
}

/** Keeps the choice; main.js listens, and draws the page in that language. */
export function chooseLanguage(code) {
	storage.setItem(STORED, code);
	dispatchEvent(new Event("language"));
}

/** The text of a key as it is written, if there is one. */
export const known = (key) => texts[key];

/** The text of a key; an unknown word of the service, such as a new ruleset, is
 * returned unchanged.  {name} is replaced by a member of `values`; a text with
 * several forms is chosen by `values.count`. */
export function t(key, values = {}) {
	const found = known(key);
	if (found === undefined)
		return key;
	const form = typeof found === "string" ? found :
		found[plural.select(values.count)] ?? found.other;
	return form.replace(/\{(\w+)\}/g, (place, name) => `${values[name] ?? place}`);
}

/** "Ada, Bob and Cleo". */
export const listOf = (names) => list.format(names);
