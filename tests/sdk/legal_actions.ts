// legal_actions.js URL PLAYERS BODY [SEED] - a game from its beginning to its
// end, by players who know two routes: to create a game (with this body) and to
// join it.  Where to read it the answer says (Location), and what can be done
// "legal_actions" in the view; they know no other route, no action and no word
// of the rules, and choose by chance.  The game is over when nobody has an
// action left, or one has led to another game.
//
// Whatever is listed must succeed, for nobody else moves meanwhile.  The same
// seed makes the same choices, but the service deals other cards.
type Json = null | boolean | number | string | Json[] | Members;
type Members = { [name: string]: Json };

type Action = { method: string; href: string; bodies: Choice | null };
type Choice = { fixed: Members; free: { [name: string]: Json[] } };
type Answer = { body: Json; location: string | null };

const MOST_ACTIONS = 20000;

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

// "choose" has lists, of each of which the body takes one.  What it has else
// is another game's, and such an action is left to who knows that.
function choiceOf({ body, choose }: Members): Choice | null | undefined {
	if (body === null && choose === null)
		return null;
	const free: Choice["free"] = {};
	for (const [name, list] of Object.entries(choose ?? {})) {
		if (!Array.isArray(list) || list.some(isMembers))
			return undefined;
		free[name] = list;
	}
	return { fixed: body === null ? {} : membersOf(body), free };
}

function actionsIn(view: Json): Action[] {
	const listed = membersOf(membersOf(view)["you"])["legal_actions"];
	if (!Array.isArray(listed))
		throw new Error("the view lists no actions");
	return listed.map(membersOf).flatMap((action) => {
		const bodies = choiceOf(action);
		return bodies === undefined ? [] : [{
			method: textOf(action["method"]),
			href: textOf(action["href"]),
			bodies,
		}];
	});
}

// Every other time the first word, or a gang that has to agree on one never
// would.
function bodyOf(bodies: Choice | null): Json | undefined {
	if (!bodies)
		return undefined;
	const body: Members = { ...bodies.fixed };
	for (const [name, list] of Object.entries(bodies.free))
		body[name] = (below(2) ? list[0] : oneOf(list)) ?? null;
	return body;
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

// An action of a player, both chosen by chance; none if nobody has any.
async function actionOfSomeone(path: string, tokens: string[]):
Promise<{ token: string; action: Action } | undefined> {
	const waiting = [...tokens];
	while (waiting.length > 0) {
		const [token = ""] = waiting.splice(below(waiting.length), 1);
		const action = oneOf(
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
		const { token, action: { method, href, bodies } } = chosen;
		const { location } = await ask(method, href, token,
			bodyOf(bodies));
		if (location && location !== path)
			return { taken, next: location };
	}
	throw new Error(`no end after ${MOST_ACTIONS} actions`);
}

console.log(`seed ${seed}`);
const { path, tokens } = await sitDown();
const { taken, next } = await play(path, tokens);
const { body } = await ask("GET", path, tokens[0]);
console.log(`${creation}, ${players} players:`,
	`${membersOf(body)["status"]} after ${taken} actions`);

// Where the game goes on, the same people sit with the same tokens.
for (const token of next ? tokens : [])
	actionsIn((await ask("GET", next ?? "", token)).body);
