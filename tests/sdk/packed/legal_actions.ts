// legal_actions.js URL PLAYERS BODY ENOUGH [SEED] - a game from its beginning to its
// end, by players who have gangd-client, and create the game with this body.
// Each follows the game, and does what its view offers: they know no action and
// no word of the rules, and choose by chance.  The game is over when nobody has
// an action left, or one has led to another game; they go on until the wanted
// number of actions is reached.
//
// Each listed action must succeed, since nobody else moves meanwhile.  Each
// player must be given every event once, in order, and the view after it.  The
// same seed makes the same choices, but the service deals other cards.
import { Gangd, type LegalAction, type Schemas, type Seat, type View }
	from "gangd-client";

declare const process: { argv: string[] };

type Form =
	| { form: "one_of"; options: unknown[] }
	| { form: "some_of"; options: unknown[]; least: number; most: number }
	| { form: "range"; least: number; most: number };

const MOST_ACTIONS = 20000;

const [, , url = "", players = "", creation = "", enough = "",
	seed = `${Date.now()}`] = process.argv;
const gangd = new Gangd(url);

function check(good: boolean, what: string): void {
	if (!good)
		throw new Error(what);
}

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

// Some of a list, each once.
function several(list: unknown[], count: number): unknown[] {
	const left = [...list];
	return Array.from({ length: count }, () =>
		left.splice(below(left.length), 1)).flat();
}

// A value of a form.  The first option often, or a gang that has to agree on one
// never would.
function valueFrom(form: Form): unknown {
	if (form.form === "one_of")
		return below(2) ? form.options[0] : oneOf(form.options);
	const number = form.least + below(form.most - form.least + 1);
	return form.form === "range" ? number : several(form.options, number);
}

function choicesFrom({ choose }: LegalAction): Record<string, unknown> {
	return Object.fromEntries(Object.entries<Form>(choose ?? {}).map(
		([name, form]) => [name, valueFrom(form)]));
}

// Mostly one that says something, or a game in which one can pass is a short one.
function oneAction({ you }: View): LegalAction | undefined {
	const actions: LegalAction[] = you?.legal_actions ?? [];
	const saying = actions.filter(({ command, choose }) =>
		Object.keys({ ...command, ...choose }).length > 1);
	return oneOf(saying.length > 0 && below(5) ? saying : actions);
}

// A player who follows the game, and what has come of it.
class Player {
	view: View | undefined;
	private wake = () => {};
	private readonly over = new AbortController();
	private readonly ended: Promise<void>;

	constructor(readonly seat: Seat) {
		this.ended = this.follow();
		this.ended.catch(() => {});
	}

	private async follow(): Promise<void> {
		const { signal } = this.over;
		for await (const { view, events } of this.seat.follow({ signal })) {
			const { version = view.version } = this.view ?? {};
			check(events.every((event, at) =>
				event.version === version + 1 + at) &&
				version + events.length === view.version,
			`after ${version} came ${events.map((event) => event.version)}` +
				` and a view of ${view.version}`);
			this.view = view;
			this.wake();
		}
		check(signal.aborted, "the stream ended");
	}

	// The view of the stream, when it has come to a version.
	async at(version: number): Promise<View> {
		while (!this.view || this.view.version < version)
			await Promise.race([this.ended, new Promise<void>((wake) => {
				this.wake = wake;
			})]);
		return this.view;
	}

	async stop(): Promise<void> {
		this.over.abort();
		await this.ended;
	}

	// By the command, or by the action's own route.
	async act(action: LegalAction): Promise<View> {
		const { seat: { token }, seat } = this;
		const choices = choicesFrom(action);
		if (below(2))
			return seat.act({ ...action.command, ...choices });
		return gangd.request(action.method, action.href,
			{ token, body: { ...action.body, ...choices } });
	}
}

async function sitDown(): Promise<Seat[]> {
	const wanted: Omit<Schemas["CreateGame"], "name"> = JSON.parse(creation);
	const seats = [await gangd.create({ name: "Player 1", ...wanted })];
	const [{ id, inviteCode = "" } = seats[0]!] = seats;
	while (seats.length < Number(players)) {
		const name = `Player ${seats.length + 1}`;
		seats.push(seats.length % 2 ? await gangd.join(inviteCode, { name }) :
			await gangd.joinGame(id, { name, invite_code: inviteCode }));
	}
	return seats;
}

// Make an action of a player, both chosen by chance, if anybody has one.  All
// others receive it.
async function oneMove(table: Player[], version: number):
Promise<View | undefined> {
	const waiting = [...table];
	while (waiting.length > 0) {
		const [player = table[0]!] = waiting.splice(below(waiting.length), 1);
		const action = oneAction(await player.at(version));
		if (!action)
			continue;
		const view = await player.act(action);
		if (view.id !== player.seat.id)
			return view;
		await Promise.all(table.map((other) => other.at(view.version)));
		check(JSON.stringify(player.view) === JSON.stringify(view),
			`${action.action} was answered with another view`);
		return view;
	}
	return undefined;
}

// Plays on, with the same people and tokens, until it was enough.
console.log(`seed ${seed}`);
let seats = await sitDown();
for (let games = 1, all = 0; all < Number(enough); games++) {
	const table = seats.map((seat) => new Player(seat));
	let taken = 0;
	let view: View | undefined = await seats[0]!.look();
	let last = view;
	while (view && view.id === last.id) {
		check(taken++ < MOST_ACTIONS, `no end after ${MOST_ACTIONS} actions`);
		last = view;
		view = await oneMove(table, view.version);
	}
	await Promise.all(table.map((player) => player.stop()));
	all += taken;
	console.log(`${creation}, ${players} players, game ${games}:`,
		`${last.status} after ${taken} actions`);
	if (!view)
		break;
	const { id } = view;
	seats = seats.map(({ token = "" }) => gangd.seat({ id, token }));
}

// Where the game goes on, all sit with the same tokens.
for (const seat of seats)
	check((await seat.look()).you !== null, "a seat was lost");
