// text.js - the page's own texts, in the reader's language.  A language is a file
// of its own, text_CODE.js, with the keys of text_en.js; a row of LANGUAGES makes
// it known.  Texts of the game itself come from the service: rules.js.
import { storage } from "./storage.js";
import { text as english } from "./text_en.js";

// How each language calls itself, and what loads its texts.
export const LANGUAGES = {
	en: { name: "English", load: async () => ({ text: english }) },
};

const STORED = "gangd.language";
let texts = english;
let plural = new Intl.PluralRules("en");
let list = new Intl.ListFormat("en");
export let language = "en";

/** The language that the reader chose, or else the browser's. */
function wanted() {
	const asked = [storage.getItem(STORED), ...navigator.languages ?? []];
	return asked.map((tag) => tag?.slice(0, 2)).find((code) =>
		code && code in LANGUAGES) ?? "en";
}

/** Loads the texts. */
export async function loadTexts() {
	language = wanted();
	const { text } = await LANGUAGES[language].load();
	texts = { ...english, ...text };
	plural = new Intl.PluralRules(language);
	list = new Intl.ListFormat(language);
	document.documentElement.lang = language;
}

export async function chooseLanguage(code) {
	storage.setItem(STORED, code);
	await loadTexts();
}

/** The text of a key; a word of the service that is not known, such as a new
 * ruleset, stands for itself.  {name} stands for a member of `values`; a text with
 * several forms is chosen by `values.count`. */
export function t(key, values = {}) {
	const found = texts[key];
	if (found === undefined)
		return key;
	const form = typeof found === "string" ? found :
		found[plural.select(values.count)] ?? found.other;
	return form.replace(/\{(\w+)\}/g, (place, name) => `${values[name] ?? place}`);
}

/** "Ada, Bob and Cleo". */
export const listOf = (names) => list.format(names);

export const dateOf = (at) => new Intl.DateTimeFormat(language,
	{ dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
