// game.js - a game as it is followed: one stream with views drives the page.  The
// object that it makes is what all parts of the table get: the newest view, what
// happened, the moves, and what the reader is doing (ui).
import { Problem } from "../client/index.js";
import { h, patch } from "./dom.js";
import { gameOf } from "./games.js";
import { flying } from "./motion.js";
import { sentence } from "./rules.js";
import { dropSeat, noteView, keepSeat, seatOf } from "./seats.js";
import { gangd } from "./service.js";
import { announce, tellError } from "./status.js";
import { t } from "./text.js";
import { waitingRoom } from "./waiting.js";

const LOG_KEPT = 200;
const LOG_AT_FIRST = 40;

export function gamePage(root, id, token = seatOf(id)?.token) {
	const game = new Game(root, id, token);
	game.follow();
	return () => game.close();
}

/** A spectator's page, also of a player with a seat. */
export const watchPage = (root, id) => gamePage(root, id, "");

/** Whether the game waits for the reader: the title of the tab says so. */
const isAwaited = (view) => view.you && gameOf(view.ruleset).isAwaited?.(view);

/** Why the service has ended the stream, in words. */
const CLOSED = {
	left: () => t("closed_left"),
	removed: () => t("closed_removed"),
	renewed: () => t("closed_renewed"),
	deleted: () => t("closed_deleted"),
};

class Game {
	/** The newest view; undefined until one comes. */
	view;
	/** The events so far, oldest first; `text` is the sentence of each, and `names`
	 * has those of the players when it came. */
	log = [];
	/** The reader's current action; parts of the table keep their state here. */
	ui = {};
	/** A dialog that changes with the game, if one was opened. */
	sheet;
	/** The table's handler of a pressed key. */
	onKey = () => {};
	/** Whether the service cannot be reached for now. */
	isAway = false;
	isBusy = false;
	/** Why the service has ended the stream for good. */
	closed;
	/** By seat, the player or the last one. */
	#names = {};
	#leaving = new AbortController();

	constructor(root, id, token) {
		root.className = "page game";
		this.root = root;
		this.seat = gangd.seat({ id, token });
		const { signal } = this;
		addEventListener("texts", () => this.retell(), { signal });
		addEventListener("keydown", (event) => this.onKey(event), { signal });
		this.draw();
	}

	get signal() { return this.#leaving.signal; }
	get you() { return this.view.you; }
	/** What the page knows of games by these rules (games.js). */
	get rules() { return gameOf(this.view.ruleset); }
	get isHost() {
		return this.playerAt(this.you?.seat)?.host ?? false;
	}

	close() {
		this.#leaving.abort();
		clearTimeout(this.ui.timer);
	}

	playerAt(seat) {
		return this.view.players.find((player) => player.seat === seat);
	}

	nameAt(seat) {
		return this.playerAt(seat)?.name ?? t("vacant_seat");
	}

	/** The legal actions of a kind. */
	legal(action) {
		return (this.you?.legal_actions ?? []).filter((each) =>
			each.action === action);
	}

	/** Follows the game until the page is left. */
	async follow() {
		const { signal } = this;
		try {
			for await (const { view, events } of this.seat.follow({
				signal,
				onPause: () => this.#setAway(true),
				onResume: () => this.#setAway(false),
				onClosed: (reason) => { this.closed = reason; },
			}))
				await this.take(view, events);
			if (!signal.aborted)
				this.#tellClosed();
		} catch (error) {
			if (!signal.aborted)
				this.refuse(error);
		}
	}

	/** The seat is of no use any more, unless another tab has its new token. */
	#tellClosed() {
		const { id, token } = this.seat;
		const kept = seatOf(id)?.token;
		if (token && kept !== token && kept) {
			this.seat = gangd.seat({ id, token: kept });
			this.follow();
			return;
		}
		if (token && this.closed)
			dropSeat(id);
		this.end(CLOSED[this.closed]?.() ?? t("game_gone"));
	}

	/** Tells whether news come. */
	#setAway(isAway) {
		this.isAway = isAway;
		this.draw();
	}

	async take(view, events) {
		this.isAway = false;
		this.show(view);
		this.hear(events, true);
		if (events.length === 0)
			this.catchUp(view);
	}

	/** Fetches the events from before the stream began. */
	async catchUp({ version }) {
		const known = this.log.at(-1)?.version;
		const after = known ?? Math.max(0, version - LOG_AT_FIRST);
		if (after >= version)
			return;
		try {
			const { events } = await this.seat.request("GET",
				`/events?after=${after}&limit=${LOG_KEPT}`,
				{ signal: this.signal });
			this.hear(events, known !== undefined);
		} catch {
			// The list of moves has a gap, then.
		}
	}

	hear(events, isNews) {
		const before = this.#names;
		const now = Object.fromEntries(this.view.players.map(({ seat, name }) =>
			[seat, name ?? before[seat]]));
		this.#names = { ...before, ...now };
		// The view has the next one in the seat already.
		const namesOf = ({ type }) => type === "player_left" ?
			{ ...now, ...before } : this.#names;
		const known = new Set(this.log.map(({ version }) => version));
		const entries = events.filter(({ version }) => !known.has(version))
			.map((event) => ({ ...event, names: namesOf(event) }))
			.map((event) => ({ ...event, text: this.tell(event) }));
		this.log = [...this.log, ...entries]
			.sort((a, b) => a.version - b.version).slice(-LOG_KEPT);
		if (isNews)
			announce(entries.filter(({ seat }) => !seat || seat !== this.you?.seat)
				.map(({ text }) => text).filter(Boolean));
		if (isNews)
			this.rules.onNews?.(entries, this.you?.seat);
		this.draw();
	}

	/** Prints all events again with the texts that have arrived. */
	retell() {
		this.log = this.log.map((event) => ({ ...event, text: this.tell(event) }));
		this.draw();
	}

	/** The sentence of an event; its members and its seat go into it.  Empty
	 * until the texts have arrived. */
	tell({ type, seat, data, names }) {
		return sentence("event", type, this.view.ruleset, { ...data, seat },
			(at) => names[at] ?? t("vacant_seat"));
	}

	show(view) {
		if (view.id !== this.seat.id)
			return;
		const last = this.view;
		if (last && view.version < last.version)
			return;
		this.view = view;
		noteView(view);
		const { partOf = () => 0 } = this.rules;
		if (last && partOf(last) !== partOf(view))
			this.ui = {};
		this.draw(last);
	}

	/** Sends a move, and shows its view as soon as that comes. */
	async act(command) {
		if (this.isBusy)
			return;
		this.isBusy = true;
		try {
			const view = await this.seat.act(command, { signal: this.signal });
			this.enterRematch(view);
			this.show(view);
		} catch (error) {
			tellError(error);
		} finally {
			this.isBusy = false;
			this.draw();
		}
	}

	/** Any other request: true if it succeeded; a failure is shown.  When a player
	 * leaves, the stream may end before the answer: that must not abort it. */
	async ask(method, path, body) {
		try {
			await this.seat.request(method, path, { body });
			return true;
		} catch (error) {
			tellError(error);
			return false;
		}
	}

	/** Goes to another game that has the same seat, or that may be watched too. */
	enterRematch({ id, ruleset, mode, status }) {
		if (id === this.seat.id)
			return;
		if (!this.you) {
			location.hash = `#/watch/${id}`;
			return;
		}
		const { token, push } = seatOf(this.seat.id) ?? this.seat;
		keepSeat({ id, token, push, ruleset, mode, status });
		location.hash = `#/game/${id}`;
	}

	refuse(error) {
		const isUnknown = error instanceof Problem &&
			[401, 403, 404].includes(error.status);
		if (isUnknown && this.seat.token)
			dropSeat(this.seat.id);
		this.end(isUnknown ? t("game_closed") : t("no_connection"));
	}

	end(text) {
		this.close();
		patch(this.root, h("main", { class: "narrow" },
			h("p", { class: "panel" }, text),
			h("a", { class: "button big", href: "#/" }, t("to_entrance"))));
	}

	draw(last) {
		if (this.signal.aborted)
			return;
		flying(this.root, () => patch(this.root, this.contents(last)));
		this.sheet?.draw();
	}

	contents(last) {
		if (!this.view)
			return h("main", { class: "narrow" },
				h("p", { class: "loading" }, t("loading")));
		document.title = (isAwaited(this.view) ? "● " : "") + t(this.view.ruleset);
		const { table } = this.rules;
		return [
			this.isAway && h("p", { class: "offline", role: "status" },
				t("reconnecting")),
			!this.you && h("p", { class: "watching", role: "status" }, t("you_watch")),
			this.view.status === "lobby" ? waitingRoom(this) :
				table ? table(this, last) :
					h("main", { class: "narrow" }, h("p", { class: "panel" },
						t("unknown_ruleset"))),
		];
	}
}
