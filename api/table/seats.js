// seats.js - the seats of this browser, by game.  A token is the only proof of
// being the player: it is kept here and goes into the Authorization header, and
// nowhere else.  No card is ever stored.
import { storage } from "./storage.js";

const PREFIX = "gangd.seat.";
const NAME = "gangd.name";
const AVATAR = "gangd.avatar";

/** Keeps a seat: `{ id, token, ruleset, mode, name, status }`. */
export function keepSeat(seat) {
	const kept = { ...seatOf(seat.id), ...seat, at: Date.now() };
	storage.setItem(PREFIX + seat.id, JSON.stringify(kept));
}

/** Keeps the data of the list of seats about a game, without its cards. */
export function noteView({ id, ruleset, mode, status, players, you }) {
	const kept = seatOf(id);
	if (!kept || !you)
		return;
	const others = players.filter(({ seat, name }) => name && seat !== you.seat)
		.map(({ name }) => name);
	keepSeat({ id, ruleset, mode, status, others });
}

export function seatOf(id) {
	const kept = storage.getItem(PREFIX + id);
	try {
		return kept ? JSON.parse(kept) : undefined;
	} catch {
		return undefined;
	}
}

export const dropSeat = (id) => storage.removeItem(PREFIX + id);

/** Whether a game, or the game of a seat, has ended. */
export const isOver = ({ status }) => !["lobby", "playing"].includes(status);

/** All seats, the last used first. */
export function allSeats() {
	const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at));
	return keys.filter((key) => key?.startsWith(PREFIX))
		.map((key) => seatOf(key.slice(PREFIX.length)))
		.filter((seat) => seat?.token)
		.sort((a, b) => b.at - a.at);
}

/** The reader's name as it is being typed. */
export const typedName = () => storage.getItem(NAME) ?? "";
export const keepName = (name) => storage.setItem(NAME, name);

/** The reader's avatar, or empty. */
export const avatar = () => storage.getItem(AVATAR) ?? "";
export const keepAvatar = (sign) => storage.setItem(AVATAR, sign);

/** How the reader sits down, as requests have it. */
export const self = (guest) => ({ name: typedName().trim() || guest,
	avatar: avatar() || null });
