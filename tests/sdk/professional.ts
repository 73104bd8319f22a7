// professional.js URL - four players, each for themselves and all at once,
// play professional games to their end, by a client that is made from the
// document.  The gang goes on from game to game until it has done everything
// that a client has a route for.
import { type Game, Player } from "./client.js";
import { answerTo, cardToChoose, chipToTake, useOf } from "./strategy.js";

const NAMES = ["Ada", "Bob", "Cleo", "Dan"];
const MOST_GAMES = 40;

const DEEDS = [
	"take", "rob", "propose", "vote", "choose", "answer", "deal",
] as const;
type Deed = (typeof DEEDS)[number];

// In which round of which heist a player has robbed another: once in each, or
// a chip might go to and fro for ever.
type Robberies = Set<string>;

// One move, the first that the own view asks for, and what it was; nothing if
// there is nothing to do, or if somebody else was faster.
async function move(me: Player, robberies: Robberies):
Promise<Deed | "late" | undefined> {
	const { heist, you } = me.view;
	if (!heist || !you)
		throw new Error("a game in play has a heist, and I a seat");
	const done = async (deed: Deed, move: Promise<boolean>) =>
		await move ? deed : "late";

	if (you.choice_due) {
		const card = cardToChoose(you.choice_due);
		return done("choose", me.choose(card ? { card } :
			{ looked: true }));
	}
	// No chip moves while others choose.
	if (heist.phase === "choosing")
		return undefined;
	const proposal = heist.specialist?.proposal;
	if (proposal && !proposal.agreed.includes(me.seat))
		return done("vote", me.vote(true));
	if (heist.phase === "over")
		return done("deal", me.deal());
	if (heist.phase === "answering") {
		for (const question of heist.showdown?.questions ?? []) {
			const answer = answerTo(question, heist, me);
			const said = question.answers.find(({ seat }) =>
				seat === me.seat);
			if (question.agreed === null && answer &&
			    question.about_seat !== me.seat &&
			    said?.value !== answer.value)
				return done("answer", me.answer(answer));
		}
		return undefined;
	}
	const use = useOf(heist, me.seat, me.view);
	if (use)
		return done("propose", me.propose(use));
	const round = `${heist.number} ${heist.round}`;
	const chip = await chipToTake(me, heist, !robberies.has(round));
	if (!chip)
		return undefined;
	if (chip.seat === null)
		return done("take", me.take(chip));
	robberies.add(round);
	return done("rob", me.take(chip));
}

async function play(me: Player, deeds: Map<Deed, number>): Promise<void> {
	const robberies: Robberies = new Set();
	while (me.view.status === "lobby")
		await me.wait();
	while (me.view.status === "playing") {
		const deed = await move(me, robberies);
		if (deed === undefined)
			await me.wait();
		else if (deed !== "late")
			deeds.set(deed, (deeds.get(deed) ?? 0) + 1);
	}
}

function check(good: boolean, what: string): void {
	if (!good)
		throw new Error(what);
}

// That everybody saw the same end, and that the lists tell of it too.
async function checkEnd(players: Player[]): Promise<string> {
	const sum = (game: Game) => JSON.stringify(
		[game.status, game.version, game.vaults, game.alarms]);
	const [first] = players;
	if (!first)
		throw new Error("nobody plays");
	const { view } = first;
	check(players.every((player) => sum(player.view) === sum(view)),
		"the players saw different ends");
	const { vaults, alarms, status } = view;
	check(status === (vaults.gold === vaults.needed ? "won" : "lost") &&
		(status === "won" || alarms.red === alarms.limit),
		`it ended too early: ${sum(view)}`);

	const outcomes = (await first.heists()).map(({ showdown }) =>
		showdown.outcome);
	check(outcomes.length === vaults.gold + alarms.red &&
		outcomes.filter((outcome) => outcome === "succeeded").length ===
		vaults.gold, `the heists say ${outcomes}`);

	const events = await first.events();
	const told = events.flatMap((event) =>
		event.type === "heist_ended" ? [event.data.outcome] : []);
	check(events.length === view.version, "the log has a hole");
	check(`${told}` === `${outcomes}`, `the log says ${told}`);
	return `${status} after ${outcomes.length} heists`;
}

// Nobody has asked for anything else, and a rematch keeps it.
function checkAbsence(players: Player[]): void {
	check(players.every(({ view }) => view.absence_seconds === 600),
		"a silent host holds the table");
}

// All ask for it at once, and only one of them begins it.
async function rematch(players: Player[]): Promise<void> {
	const before = players.map(({ view }) => view.id);
	const begun = await Promise.all(players.map((player) =>
		player.rematch()));
	check(begun.filter((mine) => mine).length === 1,
		`who began it: ${begun}`);
	const after = new Set(players.map(({ view }) => view.id));
	check(after.size === 1, "the gang is in several games");
	check(players.every(({ view }, at) => view.status === "playing" &&
		view.rematch_of?.id === before[at]), "this is no rematch of the game");
}

async function main(url: string): Promise<void> {
	const [first = "", ...others] = NAMES;
	const { host, code } = await Player.create(url, first, NAMES.length);
	const players = [host];
	for (const name of others)
		players.push(await Player.join(url, name, code));

	checkAbsence([host]);

	const deeds = new Map<Deed, number>();
	for (let games = 1; games <= MOST_GAMES; games++) {
		await Promise.all(players.map((player) => play(player, deeds)));
		console.log(`game ${games}: ${await checkEnd(players)}`);
		await rematch(players);
		checkAbsence(players);
		if (DEEDS.every((deed) => deeds.has(deed)))
			break;
	}
	const late = players.reduce((sum, player) => sum + player.late, 0);
	console.log(Object.fromEntries(deeds), `${late} too late`);
	for (const deed of DEEDS)
		check(deeds.has(deed), `nobody has come to ${deed}`);
}

await main(process.argv[2] ?? "");
