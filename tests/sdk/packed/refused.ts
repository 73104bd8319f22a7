// refused.ts - what the service refuses, and the compiler too.  It is only
// compiled: each line below a mark must be an error.
import { Gangd, type NewGame } from "gangd-client";

export const games: NewGame[] = [
	{ name: "Ada" },
	{ name: "Ada", seats: 3, mode: "advanced", stacks: "shuffled" },
	{ name: "Ada", ruleset: "the_gang", round_end: "confirmed" },
	{ name: "Ada", ruleset: "famiglia", spectators: true },
	// @ts-expect-error: Famiglia has no modes
	{ name: "Ada", ruleset: "famiglia", mode: "basic" },
	// @ts-expect-error: nor rounds of chips
	{ name: "Ada", ruleset: "famiglia", round_end: "confirmed" },
	// @ts-expect-error: nor stacks
	{ name: "Ada", ruleset: "famiglia", stacks: "shuffled" },
	// @ts-expect-error: a player has a name
	{ seats: 3 },
	// @ts-expect-error: no such ruleset
	{ name: "Ada", ruleset: "poker" },
];

export async function moves(gangd: Gangd, code: string) {
	// @ts-expect-error: a friend needs a name too
	const seat = await gangd.join(code, {});
	await seat.act({ action: "take_chip", color: "white", stars: 1 });
	// @ts-expect-error: no such colour
	await seat.act({ action: "take_chip", color: "blue", stars: 1 });
	// @ts-expect-error: a chip has stars
	await seat.act({ action: "take_chip", color: "white" });
	// @ts-expect-error: an action of nobody
	await seat.act({ action: "steal" });
}
