// text.js - the page's own texts, in the reader's language.  A language is a file
// of its own, text_CODE.js, with the keys of text_en.js; a row of LANGUAGES makes
// it known.  Texts of the game itself come from the service: rules.js.
import { storage } from "./storage.js";
import { text as english } from "./text_en.js";

// How each language calls itself, and its file, which is loaded when it is needed.
// English is always there: it speaks when a file cannot be had.
export const LANGUAGES = {
	en: { name: "English" },
	de: { name: "Deutsch", file: "./text_de.js" },
	fr: { name: "Français", file: "./text_fr.js" },
	ru: { name: "Русский", file: "./text_ru.js" },
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

/** Loads the texts of the language that is wanted. */
export async function loadTexts() {
	const code = wanted();
	const { file } = LANGUAGES[code];
	const { text } = file ? await import(file) : {};
	if (code !== wanted()) // the reader has chosen again
		return;
	language = code;
	texts = { ...english, ...text };
	plural = new Intl.PluralRules(language);
	list = new Intl.ListFormat(language);
	document.documentElement.lang = language;
}

/** Asks for the file once more, so that a new service worker sees it. */
export const keepTexts = async () => LANGUAGES[language].file &&
	fetch(new URL(LANGUAGES[language].file, import.meta.url));

/** Keeps the choice; main.js listens, and draws the page in that language. */
export function chooseLanguage(code) {
	storage.setItem(STORED, code);
	dispatchEvent(new Event("language"));
}

/** The text of a key as it is written, if there is one. */
export const known = (key) => texts[key];

/** The text of a key; a word of the service that is not known, such as a new
 * ruleset, stands for itself.  {name} stands for a member of `values`; a text with
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
