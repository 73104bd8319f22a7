// A player's decisions from the own view: which chip the cards are worth, whom
// the specialist should help, and what to answer.
import type {
	Answer, Card, Chip, ChoiceDue, Game, Heist, Player, Proposal, Question,
	Rank,
} from "./client.js";

// Two hands each, and a hundred is what one request may ask for.
const TRIALS = 50;
const RANKS: Rank[] = [
	"2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A",
];
const DECK: Card[] = RANKS.flatMap((rank) =>
	["c", "d", "h", "s"].map((suit) => rank + suit));

function shuffled(cards: Card[]): Card[] {
	const deck = [...cards];
	for (let last = deck.length - 1; last > 0; last--) {
		const other = Math.floor(Math.random() * (last + 1));
		const card = deck[last] ?? "";
		deck[last] = deck[other] ?? "";
		deck[other] = card;
	}
	return deck;
}

// Jx counts as a jack.
function rankOf(card: Card): Rank {
	return RANKS.find((rank) => card.startsWith(rank)) ?? "2";
}

function byRank(cards: Card[]): Card[] {
	return [...cards].sort((a, b) =>
		RANKS.indexOf(rankOf(a)) - RANKS.indexOf(rankOf(b)));
}

// How likely the own hand beats another player's, from 0 to 1: both are dealt
// to the end as chance would have it, again and again.
async function strength(me: Player, own: Card[], board: Card[]):
Promise<number> {
	const unseen = DECK.filter((card) =>
		!own.includes(card) && !board.includes(card));
	const hands: Card[][] = [];
	for (let trial = 0; trial < TRIALS; trial++) {
		const deck = shuffled(unseen);
		const theirs = deck.splice(0, own.length);
		const whole = [...board, ...deck.splice(0, 5 - board.length)];
		hands.push([...own, ...whole], [...theirs, ...whole]);
	}
	const places = (await me.evaluate(hands)).map(({ place }) => place);
	let won = 0;
	for (let trial = 0; trial < TRIALS; trial++) {
		const mine = places[2 * trial] ?? 0;
		const other = places[2 * trial + 1] ?? 0;
		won += mine > other ? 1 : mine === other ? 0.5 : 0;
	}
	return won / TRIALS;
}

// The chip to take now: the one that says how strong the hand is, also out of
// another player's hands if it may be robbed, or else the nearest one that
// nobody has.
export async function chipToTake(me: Player, heist: Heist, rob: boolean):
Promise<Chip | undefined> {
	const chips = heist.chips.filter(({ color }) =>
		color === heist.color);
	if (chips.some((chip) => chip.seat === me.seat))
		return undefined;
	const { you, players } = me.view;
	const share = await strength(me, you?.pocket_cards ?? [],
		heist.community_cards);
	const wanted = 1 + Math.round(share * (players.length - 1));
	return chips
		.filter(({ seat, stars, locked }) => seat === null ||
			(rob && stars === wanted && !locked))
		.sort((a, b) => Math.abs(a.stars - wanted) -
			Math.abs(b.stars - wanted))
		.at(0);
}

// The proposal for a specialist; undefined if it is automatic or unknown here.
export function useOf(heist: Heist, me: number, view: Game):
Proposal | undefined {
	if (heist.specialist?.state !== "available")
		return undefined;
	const next = me % view.players.length + 1;
	switch (heist.specialist.code) {
	case "informant":
		return { seat: me, target_seat: next };
	case "mastermind":
		return { seat: next, value: "A" };
	case "getaway_driver":
	case "hacker":
	case "jack":
	case "muscle":
		return { seat: me };
	default:
		return undefined;
	}
}

// The Informant shows the best card; with all others the worst one goes.
export function cardToChoose({ code, options }: ChoiceDue): Card | undefined {
	return byRank(options).at(code === "informant" ? -1 : 0);
}

// The answer that a player has given already.
function saidBy<Value>(seat: number, answers: { seat: number; value: Value }[]):
Value | undefined {
	return answers.find((answer) => answer.seat === seat)?.value;
}

// The first player answers a question about the strongest hand, and all others
// give the same answer.
export function answerTo(question: Question, heist: Heist, me: Player):
Answer | undefined {
	const first = me.view.players.map(({ seat }) => seat)
		.find((seat) => seat !== question.about_seat) ?? me.seat;
	const isFirst = me.seat === first;
	switch (question.code) {
	case "retina_scan": {
		const board = byRank(heist.community_cards);
		const value = isFirst ? rankOf(board.at(-1) ?? "Ah") :
			saidBy(first, question.answers);
		return value && { question: question.code, value };
	}
	case "fingerprint_scan": {
		const reveals = heist.showdown?.reveals ?? [];
		const value = isFirst ? reveals.at(-1)?.ranking ?? "pair" :
			saidBy(first, question.answers);
		return value && { question: question.code, value };
	}
	}
}
