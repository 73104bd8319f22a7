// legal_actions.js URL PLAYERS BODY [SEED] - a game from its beginning to its
// end, by players who know three routes: to create a game (with this body), to
// join it, and "actions".  Where to read it the answer says (Location), and what
// can be done "legal_actions" in the view; they know no action and no word of
// the rules, and choose by chance.  The game is over when nobody has an action
// left, or one has led to another game; of short games they play more.
//
// Each listed action must succeed, since nobody else moves meanwhile.  The same
// seed makes the same choices, but the service deals other cards.
type Json = null | boolean | number | string | Json[] | Members;
type Members = { [name: string]: Json };

type Action = {
	method: string;
	href: string;
	body: Members;
	command: Members;
	choose: Members;
};
type Answer = { body: Json; location: string | null };

const MOST_ACTIONS = 20000;
const ENOUGH_ACTIONS = 300;

const [, , url = "", players = "", creation = "", seed = `${Date.now()}`] =
	process.argv;

// Marsaglia's xorshift, for choices that can be made again.
let state = Number(seed) >>> 0 || 1;
function below(limit: number): number {
	state ^= state << 13;
	state ^= state >>> 17;
	state ^= state << 5;
	return (state >>> 0) % limit;
}

function oneOf<T>(choices: T[]): T | undefined {
	return choices[below(choices.length)];
}

function isMembers(value: Json | undefined): value is Members {
	return typeof value === "object" && value !== null &&
		!Array.isArray(value);
}

function membersOf(value: Json | undefined): Members {
	if (!isMembers(value))
		throw new Error(`no object: ${JSON.stringify(value)}`);
	return value;
}

function listOf(value: Json | undefined): Json[] {
	if (!Array.isArray(value))
		throw new Error(`no list: ${JSON.stringify(value)}`);
	return value;
}

function numberOf(value: Json | undefined): number {
	if (typeof value !== "number")
		throw new Error(`no number: ${JSON.stringify(value)}`);
	return value;
}

function textOf(value: Json | undefined): string {
	if (typeof value !== "string")
		throw new Error(`no text: ${JSON.stringify(value)}`);
	return value;
}

async function ask(method: string, path: string, token?: string, body?: Json):
Promise<Answer> {
	const headers = new Headers();
	if (token)
		headers.set("Authorization", `Bearer ${token}`);
	if (body !== undefined)
		headers.set("Content-Type", "application/json");
	const answer = await fetch(url + path, {
		method, headers,
		body: body === undefined ? null : JSON.stringify(body),
	});
	const text = await answer.text();
	if (!answer.ok)
		throw new Error(`${method} ${path} ${JSON.stringify(body)}: ` +
			`${answer.status} ${text}`);
	const told: Json = JSON.parse(text);
	return { body: told, location: answer.headers.get("Location") };
}

function actionsIn(view: Json): Action[] {
	const you = membersOf(membersOf(view)["you"]);
	return listOf(you["legal_actions"]).map(membersOf).map((action) => ({
		method: textOf(action["method"]),
		href: textOf(action["href"]),
		body: membersOf(action["body"]),
		command: membersOf(action["command"]),
		choose: membersOf(action["choose"] ?? {}),
	}));
}

// Some of a list, each once.
function several(list: Json[], count: number): Json[] {
	const left = [...list];
	return Array.from({ length: count }, () =>
		left.splice(below(left.length), 1)).flat();
}

// A value of a form.  The first option often, or a gang that has to agree on one
// never would.
function valueFrom(form: Members): Json {
	const { form: name, options, least, most } = form;
	if (name === "one_of")
		return (below(2) ? listOf(options)[0] : oneOf(listOf(options))) ??
			null;
	const number = numberOf(least) +
		below(numberOf(most) - numberOf(least) + 1);
	return name === "range" ? number : several(listOf(options), number);
}

function choicesFrom(choose: Members): Members {
	return Object.fromEntries(Object.entries(choose).map(
		([name, form]) => [name, valueFrom(membersOf(form))]));
}

// Creates the game, and has the others join.
async function sitDown(): Promise<{ path: string; tokens: string[] }> {
	const wanted: Json = JSON.parse(creation);
	const made = await ask("POST", "/v1/games", undefined,
		{ name: "Player 1", ...membersOf(wanted) });
	const { token, invite_code } = membersOf(made.body);
	const path = textOf(made.location);
	const tokens = [textOf(token)];
	while (tokens.length < Number(players)) {
		const joined = await ask("POST", `${path}/players`, undefined, {
			name: `Player ${tokens.length + 1}`,
			invite_code: textOf(invite_code),
		});
		tokens.push(textOf(membersOf(joined.body)["token"]));
	}
	return { path, tokens };
}

// Mostly one that says something, or a game in which one can pass is a short one.
function oneAction(actions: Action[]): Action | undefined {
	const saying = actions.filter(({ command, choose }) =>
		Object.keys({ ...command, ...choose }).length > 1);
	return oneOf(saying.length > 0 && below(5) ? saying : actions);
}

// An action of a player, both chosen by chance; none if nobody has any.
async function actionOfSomeone(path: string, tokens: string[]):
Promise<{ token: string; action: Action } | undefined> {
	const waiting = [...tokens];
	while (waiting.length > 0) {
		const [token = ""] = waiting.splice(below(waiting.length), 1);
		const action = oneAction(
			actionsIn((await ask("GET", path, token)).body));
		if (action)
			return { token, action };
	}
	return undefined;
}

// How many actions it took, and where the last one led.
async function play(path: string, tokens: string[]):
Promise<{ taken: number; next: string | null }> {
	for (let taken = 0; taken < MOST_ACTIONS; taken++) {
		const chosen = await actionOfSomeone(path, tokens);
		if (!chosen)
			return { taken, next: null };
		const { token, action } = chosen;
		const choices = choicesFrom(action.choose);
		const { location } = below(2) ?
			await ask("POST", `${path}/actions`, token,
				{ ...action.command, ...choices }) :
			await ask(action.method, action.href, token,
				{ ...action.body, ...choices });
		if (location && location !== path)
			return { taken, next: location };
	}
	throw new Error(`no end after ${MOST_ACTIONS} actions`);
}

// Plays on, with the same people and tokens, until it was enough.
console.log(`seed ${seed}`);
const { path: first, tokens } = await sitDown();
let path: string | null = first;
let all = 0;
for (let games = 1; path && all < ENOUGH_ACTIONS; games++) {
	const { taken, next } = await play(path, tokens);
	const { body } = await ask("GET", path, tokens[0]);
	all += taken;
	console.log(`${creation}, ${players} players, game ${games}:`,
		`${membersOf(body)["status"]} after ${taken} actions`);
	path = next;
}

// Where the game goes on, all sit with the same tokens.
for (const token of path ? tokens : [])
	actionsIn((await ask("GET", path ?? "", token)).body);
