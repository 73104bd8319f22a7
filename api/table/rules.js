// rules.js - the texts of the games, from the service, in the page's language.
import { allGames, gameOf } from "./games.js";
import { gangd } from "./service.js";
import { known, language, t } from "./text.js";

const parts = () => ["actions", "announcements",
	...allGames().flatMap(({ lists }) => lists ?? [])];
let rules = {};
let loaded = "";

async function load(part, wanted) {
	const body = await gangd.request("GET", `/v1/rules/${part}?lang=${wanted}`);
	return body[part] ?? body;
}

const loadParts = (wanted) =>
	Promise.all(parts().map(async (part) => [part, await load(part, wanted)]));

/** Loads the parts that a table needs, once a language. */
export async function loadRules() {
	const wanted = language;
	if (loaded === wanted)
		return;
	const parts = await loadParts(wanted);
	if (wanted !== language) // the reader has chosen another language
		return;
	rules = Object.fromEntries(parts);
	loaded = wanted;
}

/** Loads a part that is big and seldom needed: the guide, or the refusals. */
async function loadLater(part) {
	const into = rules;
	into[part] ??= await load(part, language);
}

export const loadGuide = () => loadLater("guide");

/** Asks for them once more, so that a new service worker sees them. */
export const keepRules = () => loadParts(language);

const find = (part, code) => rules[part]?.find((row) => row.code === code);

/** The name and the text of a row of a list, such as a mode or an action. */
export const nameOf = (part, code) => find(part, code)?.name ?? code;
export const textOf = (part, code) => find(part, code)?.text ?? "";
export const modes = () => rules.modes ?? [];
/** From the weakest on. */
export const rankings = () => rules.rankings ?? [];

/** A word of the game, such as a colour: its name.  The page has those that it
 * shows itself, since the guide is larger than all other rules. */
export const wordOf = (code) => known(`word_${code}`) ?? code;

/** The sections of the guide for a ruleset. */
export const guideOf = (ruleset) => (rules.guide?.sections ?? [])
	.filter((section) => section.ruleset === ruleset);

/** The text of a refusal, in the page's language if there is one.  The page
 * replaces texts of the service that say where a client should look. */
export async function problemText(problem) {
	const [fault] = problem.members.errors ?? [];
	const own = fault ? known(`fault_${fault.code}`) ?? t("fault") :
		known(`problem_${problem.code}`);
	if (own)
		return own;
	await loadLater("problems").catch(() => {});
	const found = find("problems", problem.code);
	return found?.text ?? found?.title ?? problem.detail ?? problem.message;
}

const SEATS = ["seat", "target_seat", "about_seat"];
const RANKS = { T: "10" };

/** The text of a member, for a sentence. */
function valueOf(ruleset, name, value, nameOfSeat) {
	if (SEATS.includes(name) || (name === "from" && Number.isInteger(value)))
		return nameOfSeat(value);
	return gameOf(ruleset).valueOf?.(name, value) ?? RANKS[value] ?? value;
}

/** The sentence of the service about a code, such as an event's type, with the
 * members of `data` in it; empty if unknown. */
export function sentence(kind, code, ruleset, data, nameOfSeat) {
	const row = rules.announcements?.find((each) => each.kind === kind &&
		each.code === code && (each.ruleset ?? ruleset) === ruleset &&
		Object.entries(each.when ?? {}).every(([name, value]) =>
			(data[name] ?? null) === value));
	return (row?.text ?? "").replace(/\{(\w+)\}/g, (_, name) =>
		valueOf(ruleset, name, data[name], nameOfSeat) ?? "");
}
