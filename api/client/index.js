// index.js - a client of gangd, for pages and for Node.  A Gangd is a service; a
// Seat is a player in one of its games, or a spectator, with the newest view.
import { Connection } from "./connection.js";
import { follow } from "./follow.js";

export { Problem } from "./problem.js";
export { wake } from "./waking.js";

/** @import { ClientOptions, Command, FollowOptions, NewGame } from "./types.js" */
/** @import { Request, RequestOptions, Schemas, View } from "./types.js" */

export class Gangd {
	#connection;

	/** @param {string | URL} url @param {ClientOptions} [options] */
	constructor(url, options = {}) {
		this.#connection = new Connection(url, options);
	}

	/** Creates a game, and sits down as its host.
	 * @param {NewGame} body @param {RequestOptions} [options] */
	create(body, options) {
		return this.#sit("/v1/games", body, options);
	}

	/** Joins by an invitation code. @param {string} code
	 * @param {Schemas["JoinByCode"]} body @param {RequestOptions} [options] */
	join(code, body, options) {
		return this.#sit(`/v1/invitations/${code}/players`, body, options);
	}

	/** Joins by a game's id, as the lobby has it. @param {string} id
	 * @param {Schemas["JoinGame"]} body @param {RequestOptions} [options] */
	joinGame(id, body, options) {
		return this.#sit(`/v1/games/${id}/players`, body, options);
	}

	/**
	 * The public games that wait for players, the newest first.
	 * @param {Record<string, string>} [query] such as ruleset and mode
	 * @param {RequestOptions} [options]
	 * @returns {AsyncGenerator<Schemas["ListedGame"], void, void>}
	 */
	async *lobby(query, options) {
		let page = `/v1/games?${new URLSearchParams(query)}`;
		while (page) {
			const { body, headers } =
				await this.#connection.send("GET", page, options);
			yield* body.games;
			page = /^<([^>]*)>/.exec(headers.get("Link") ?? "")?.[1] ?? "";
		}
	}

	/** A seat that was taken before, by its token, or a spectator's without one;
	 * this sends nothing. @param {{ id: string, token?: string }} seat */
	seat({ id, token }) {
		return new Seat(this.#connection, id, token);
	}

	/** Any other request: the body of its response. @param {string} method
	 * @param {string} path @param {Request} [request] */
	async request(method, path, request) {
		return (await this.#connection.send(method, path, request)).body;
	}

	/** @param {string} path @param {object} body
	 * @param {RequestOptions | undefined} options */
	async #sit(path, body, options) {
		const request = { ...options, body };
		const { game, token, invite_code } =
			await this.request("POST", path, request);
		const seat = new Seat(this.#connection, game.id, token);
		seat.inviteCode = invite_code;
		seat.see(game);
		return seat;
	}
}

export class Seat {
	/** @type {View | undefined} the newest that came */
	view;
	/** @type {string | undefined} of a created game */
	inviteCode;

	/** @param {Connection} connection @param {string} id
	 * @param {string | undefined} token */
	constructor(connection, id, token) {
		this.connection = connection;
		this.id = id;
		this.token = token;
		this.path = `/v1/games/${id}`;
	}

	/** Keeps a view, unless it is older than the one that is kept, or of another
	 * game; whether it did. @param {View} view */
	see(view) {
		const is_news = view.id === this.id &&
			view.version >= (this.view?.version ?? 0);
		if (is_news)
			this.view = view;
		return is_news;
	}

	/** Asks for the view. @param {RequestOptions} [options]
	 * @returns {Promise<View>} */
	async look(options) {
		const view = await this.request("GET", "", options);
		this.see(view);
		return view;
	}

	/** Makes a move: the view after it; for a rematch, that of the new game.
	 * @param {Command} command @param {RequestOptions} [options]
	 * @returns {Promise<View>} */
	async act(command, options) {
		const request = { ...options, body: command };
		const view = await this.request("POST", "/actions", request);
		this.see(view);
		return view;
	}

	/** The view now, and then each change, over broken networks and restarts of
	 * the service. It ends when the game is deleted, when the player does not
	 * belong to it any more (onClosed says why), or when the signal aborts. It throws a Problem
	 * when a stream is refused; a 401 after the first one ends it. @param {FollowOptions} [options] */
	follow(options = {}) {
		return follow(this, options);
	}

	/** The address of a stream for an EventSource, where fetch has no streams. It is
	 * valid for one stream, within 30 seconds: when that breaks, ask for a new
	 * address, after the last id. @param {string} [after]
	 * @param {RequestOptions} [options] */
	async streamUrl(after, options) {
		const { ticket } =
			await this.request("POST", "/stream_tickets", options);
		return `${this.connection.url}${this.path}/events?views=true` +
			`&ticket=${ticket}${after ? `&after=${after}` : ""}`;
	}

	/** Leaves the game. @param {RequestOptions} [options] */
	async leave(options) {
		const { you } = this.view ?? await this.look(options);
		await this.request("DELETE", `/players/${you?.seat}`, options);
	}

	/** Any other request about the game: the body of its response.
	 * @param {string} method @param {string} path after that of the game
	 * @param {RequestOptions & { body?: unknown }} [request] */
	async request(method, path, request) {
		return (await this.connection.send(method, this.path + path,
			{ ...request, token: this.token })).body;
	}
}
