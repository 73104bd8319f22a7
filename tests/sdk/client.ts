// A client of gangd: openapi-fetch, with the types that openapi-typescript
// makes of the document.  A Player is one seat of a game, its last view, and
// a function for each move; the strategies are not here.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
export type Game = Schemas["GangGame"];
export type Heist = Schemas["Heist"];
export type Chip = Schemas["Chip"];
export type Card = Schemas["AnyCard"];
export type Rank = Schemas["Rank"];
export type ChoiceDue = Schemas["ChoiceDue"];
export type Question = Schemas["Question"];
export type Proposal = Schemas["ProposeSpecialist"];
export type Answer = Schemas["Answer"];
export type GameEvent = Schemas["Event"];
type AnyGame = Schemas["Game"];
type Problem = Schemas["Problem"];
type ProblemCode = Schemas["ProblemCode"];

// The media types of answers that a program reads.
type Media = "application/json" | "application/problem+json";
type Service = Client<paths, Media>;

// The result of openapi-fetch for an operation that answers T.  An answer without
// a body, as 304, has neither data nor a problem.
type Told<T> =
	| { data: T; error?: never; response: Response }
	| { data?: never; error: Problem | undefined; response: Response };

const WAIT_SECONDS = 20;

export class Refused extends Error {
	constructor(response: Response, problem: Problem | undefined) {
		super(`${response.status} ${response.url}: ` +
			JSON.stringify(problem));
	}
}

function connect(url: string, token?: string): Service {
	return createClient<paths, Media>({
		baseUrl: url,
		headers: token ? { Authorization: `Bearer ${token}` } : {},
	});
}

function needed<T>(answer: Told<T>): T {
	if (answer.data === undefined)
		throw new Refused(answer.response, answer.error);
	return answer.data;
}

// This client plays one of the rulesets.
function gangGame(game: AnyGame): Game {
	if (game.ruleset !== "the_gang")
		throw new Error(`no game of The Gang: ${JSON.stringify(game)}`);
	return game;
}

function tagOf(response: Response): string {
	const tag = response.headers.get("ETag");
	if (!tag)
		throw new Error(`${response.url} has no ETag`);
	return tag;
}

export class Player {
	// Moves that came too late, since somebody else was faster.
	late = 0;

	private constructor(
		private readonly service: Service,
		readonly seat: number,
		private game: Game,
		private tag: string,
	) {}

	static async create(url: string, name: string, seats: number):
	Promise<{ host: Player; code: string }> {
		const answer = await connect(url).POST("/v1/games", {
			body: { name, seats, mode: "professional" },
		});
		const { game, seat, token, invite_code } = needed(answer);
		const host = new Player(connect(url, token), seat,
			gangGame(game), tagOf(answer.response));
		return { host, code: invite_code };
	}

	static async join(url: string, name: string, code: string):
	Promise<Player> {
		const answer = await connect(url).POST(
			"/v1/invitations/{code}/players",
			{ params: { path: { code } }, body: { name } });
		const { game, seat, token } = needed(answer);
		return new Player(connect(url, token), seat, gangGame(game),
			tagOf(answer.response));
	}

	get view(): Game {
		return this.game;
	}

	// Sleeps until the game is not what this player has seen of it.
	async wait(): Promise<void> {
		const answer = await this.service.GET("/v1/games/{game_id}", {
			params: {
				path: this.path,
				header: {
					"If-None-Match": this.tag,
					Prefer: `wait=${WAIT_SECONDS}`,
				},
			},
		});
		if (answer.response.status === 304)
			throw new Error(`seat ${this.seat} waits in vain: ` +
				JSON.stringify(this.game));
		this.see(needed(answer), answer.response);
	}

	// A move for a chip says where the chip was seen, so that it cannot
	// rob anybody by mistake; somebody's choice may have come due meanwhile,
	// and then no chip moves.  The other moves are for the view that they
	// were thought of in, and for no later one.

	async take({ color, stars, seat }: Chip): Promise<boolean> {
		const path = { ...this.path, color, stars };
		return this.moved(["chip_moved", "choice_due"], await this.service.POST(
			"/v1/games/{game_id}/chips/{color}/{stars}/take",
			{ params: { path }, body: { from: seat ?? "center" } },
		));
	}

	async propose(proposal: Proposal): Promise<boolean> {
		return this.moved(["version_mismatch"], await this.service.POST(
			"/v1/games/{game_id}/specialist/proposals",
			{ params: this.now, body: proposal }));
	}

	async vote(agree: boolean): Promise<boolean> {
		return this.moved(["version_mismatch"], await this.service.POST(
			"/v1/games/{game_id}/specialist/votes",
			{ params: this.now, body: { agree } }));
	}

	async choose(choice: Schemas["Choose"]): Promise<boolean> {
		return this.moved(["version_mismatch"], await this.service.POST(
			"/v1/games/{game_id}/choices",
			{ params: this.now, body: choice }));
	}

	async answer(answer: Answer): Promise<boolean> {
		return this.moved(["version_mismatch"], await this.service.POST(
			"/v1/games/{game_id}/showdown/answers",
			{ params: this.now, body: answer }));
	}

	async deal(): Promise<boolean> {
		return this.moved(["version_mismatch"], await this.service.POST(
			"/v1/games/{game_id}/heists", { params: this.now }));
	}

	// Goes on in another game, and says whether it was this player who
	// began it.  A later caller gets the address of the rematch.
	async rematch(): Promise<boolean> {
		const { data, error, response } = await this.service.POST(
			"/v1/games/{game_id}/rematch",
			{ params: { path: this.path } });
		if (data) {
			this.see(data, response);
			return true;
		}
		if (error.code !== "already_used" || !error.rematch)
			throw new Refused(response, error);
		const next = await this.service.GET("/v1/games/{game_id}", {
			params: { path: { game_id: error.rematch.id } },
		});
		this.see(needed(next), next.response);
		return false;
	}

	async evaluate(hands: Card[][]): Promise<Schemas["Evaluation"][]> {
		return needed(await this.service.POST("/v1/rules/evaluations",
			{ body: { hands } })).results;
	}

	async heists(): Promise<Schemas["EndedHeist"][]> {
		return needed(await this.service.GET(
			"/v1/games/{game_id}/heists",
			{ params: { path: this.path } })).heists;
	}

	// The log from its beginning, page by page.
	async events(): Promise<GameEvent[]> {
		const all: GameEvent[] = [];
		for (;;) {
			const answer = await this.service.GET(
				"/v1/games/{game_id}/events", {
					params: {
						path: this.path,
						query: { after: all.length },
					},
				});
			all.push(...needed(answer).events);
			if (!answer.response.headers.has("Link"))
				return all;
		}
	}

	private get path(): { game_id: string } {
		return { game_id: this.game.id };
	}

	private get now() {
		return { path: this.path, header: { "If-Match": this.tag } };
	}

	private see(game: AnyGame, response: Response): void {
		this.game = gangGame(game);
		this.tag = tagOf(response);
	}

	// Takes the view that a move is answered with.  Of a move that was
	// lost to somebody who was faster, the player looks again.
	private async moved(lost: ProblemCode[], answer: Told<Game>):
	Promise<boolean> {
		if (answer.data) {
			this.see(answer.data, answer.response);
			return true;
		}
		const code = answer.error?.code;
		if (!code || !lost.includes(code))
			throw new Refused(answer.response, answer.error);
		this.late++;
		const next = await this.service.GET("/v1/games/{game_id}",
			{ params: { path: this.path } });
		this.see(needed(next), next.response);
		return false;
	}
}
