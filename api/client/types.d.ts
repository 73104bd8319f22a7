// types.d.ts - what the package exports, and the types of its own.  Those of the
// service (api.d.ts) are made of the document when it is packed.
import type { components } from "./api.js";

export { Gangd, Problem, Seat, wake } from "./index.js";

export type Schemas = components["schemas"];
export type View = Schemas["Game"];
export type GameEvent = Schemas["Event"];
type OfTheGang = "mode" | "round_end" | "stacks";
/** The settings of a new game: only The Gang has modes, rounds and stacks. */
export type NewGame =
	| (Schemas["CreateGame"] & { ruleset?: "the_gang" })
	| (Omit<Schemas["CreateGame"], OfTheGang> & { ruleset: "famiglia" });
export type LegalAction = Schemas["GangAction"] | Schemas["FamigliaAction"];
/** A move; or the `command` of a legal action, with a value for each member of
 * its `choose`. */
export type Command = Schemas["Command"] | LegalAction["command"];
/** "foreign_response": no problem document, for instance that of a proxy. */
export type Code = Schemas["ProblemCode"] | "foreign_response";
export type ProblemDocument = Omit<Schemas["Problem"], "code"> & { code: Code };

export interface ClientOptions {
	/** Instead of the global one. */
	fetch?: typeof fetch;
	/** How often a request is sent again; the default is 6. */
	retries?: number;
	/** Milliseconds for one attempt; the default is 10,000. The first one gets
	 * 4,000 at most: its connection may be dead. */
	timeout?: number;
	/** Milliseconds before the first retry, doubled for each further one. The
	 * default is 500, and for streams what the service says. */
	delay?: number;
	/** The longest delay; the default is 30,000. A problem with a longer
	 * Retry-After is thrown at once. */
	longest?: number;
	/** Milliseconds in which a stream has to begin; the default is 8,000. */
	opening?: number;
	/** Milliseconds without a byte after which a stream counts as broken; the
	 * default is 25,000. The service sends a comment every 15,000. */
	silence?: number;
}

export interface RequestOptions {
	signal?: AbortSignal | undefined;
	/** The Idempotency-Key. Each call has one of its own, unless a page keeps
	 * one, to repeat the request after a reload. */
	key?: string;
	/** Such as If-Match. */
	headers?: Record<string, string>;
}

export interface Request extends RequestOptions {
	token?: string | undefined;
	/** Sent as JSON. */
	body?: unknown;
}

export interface FollowOptions {
	/** Ends it. */
	signal?: AbortSignal | undefined;
	/** Called when a stream broke or could not be opened: the next one will be
	 * opened in so many milliseconds. */
	onPause?: (ms: number, error: unknown) => void;
	/** Called when a stream is open again after a pause.  The next change may be
	 * long in coming. */
	onResume?: () => void;
	/** Called when the service ends it for good, with the reason if that is
	 * known: "left", "removed", "renewed" (the token; only the new one is good),
	 * or "deleted". After "stopping" the stream is opened again instead. */
	onClosed?: (reason: ClosedReason | undefined) => void;
}

/** Why the service has ended a stream for good. */
export type ClosedReason = Schemas["ClosedReason"];

export interface Change {
	/** The view after it. */
	view: View;
	/** The events since the view before; none with the first one. */
	events: GameEvent[];
}
