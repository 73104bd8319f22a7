/*
 * server.js - a plain service over gangd's tables, as one would write it with
 * Fastify and node-postgres: the view of a game, and the taking of a chip.
 *
 * The statements are gangd's own (sql/queries), prepared by their names; the
 * checks, the stored events and the view are the same.  There is a worker for
 * each processor, and no log of requests.
 *
 *   PGHOST, PGPORT, PGUSER, PGDATABASE   the database
 *   WORKERS, POOL   processes (2), and connections of each to the database (8)
 *
 * Says "listening on ADDRESS:PORT" once it does.
 */
'use strict';

const cluster = require('node:cluster');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const fastify = require('fastify');
const { Pool } = require('pg');

const { COLORS, Refusal, decode, encode, take, view } = require('./game.js');
const schema = require('./schema.js');

const WORKERS = Number(process.env.WORKERS ?? 2);
const POOL = Number(process.env.POOL ?? 8);
const ROOT = path.join(__dirname, '../../../..');
const QUERIES = path.join(ROOT, 'sql/queries');
const DOCUMENT = fs.readFileSync(path.join(ROOT, 'api/openapi.yaml'), 'utf8');
const VERSION = /^ {2}version: (\S+)$/m.exec(DOCUMENT)[1];
const TOKEN = /^Bearer +(gang_[0-9A-Za-z]{49})$/i;
const HASH_SIZE = 32;

const statement = (name) => ({
	name,
	text: fs.readFileSync(path.join(QUERIES, `${name}.sql`), 'utf8'),
});
const LOAD = statement('load');
const COMMIT = statement('commit_move');

/* --- the database --------------------------------------------------------- */

// The seats as gangd.pack_seats() packs them: number, token hash, length, and the
// name, with the avatar after a line feed.
function unpackSeats(bytes) {
	const players = [];
	for (let at = 0; at < bytes.length;) {
		const hashAt = at + 1;
		const nameAt = hashAt + HASH_SIZE + 2;
		const end = nameAt + bytes.readUInt16BE(nameAt - 2);
		const [name, avatar = null] =
			bytes.toString('utf8', nameAt, end).split('\n');
		players.push({
			seat: bytes[at],
			hash: bytes.subarray(hashAt, hashAt + HASH_SIZE),
			name,
			avatar,
		});
		at = end;
	}
	return players;
}

async function load(pool, id) {
	const { rows } = await pool.query({ ...LOAD, values: [id, false, null] });
	if (rows.length === 0)
		return null;
	return { game_id: id, ...rows[0],
		players: unpackSeats(rows[0].packed_seats) };
}

// Commit a move; its time, or null on a conflict.
async function commit(pool, game, heist, events, seat, color) {
	const same = (value) => events.map(() => value);
	const { rows } = await pool.query({ ...COMMIT, values: [
		game.game_id, game.version, game.status, game.seats_max,
		game.seats_count, game.host, encode(heist),
		events.map((event) => event.type), same(seat),
		same(heist.number), same(color + 1),
		events.map((event) => event.data), same(null),
		events.map((event) => event.replay ?? null),
		null, null, null, false, // nobody is notified
		null, null, // for any revision, without an Idempotency-Key
	] });
	return rows[0].commit_and_record;
}

/* --- who calls ------------------------------------------------------------ */

function tokenHash(request) {
	const header = request.headers.authorization;
	if (!header)
		throw new Refusal(401, 'unauthenticated', 'No token was sent.');
	const token = TOKEN.exec(header)?.[1];
	if (!token)
		throw new Refusal(401, 'invalid_token',
			'The token is damaged.');
	return crypto.createHash('sha256').update(token).digest();
}

function seatOf(game, hash) {
	let seat = 0;
	for (const player of game?.players ?? []) {
		if (crypto.timingSafeEqual(player.hash, hash))
			seat = player.seat;
	}
	if (!seat)
		throw new Refusal(401, 'invalid_token',
			'The token is of no seat of this game.');
	return seat;
}

/* --- the routes ----------------------------------------------------------- */

const etagOf = (game, seat) =>
	`"${game.game_id}.${game.version}.${seat}.${VERSION}"`;

const lists = (field, etag) => field.split(',').some((tag) =>
	['*', etag, `W/${etag}`].includes(tag.trim()));

function sendView(reply, game, heist, seat, known) {
	const etag = etagOf(game, seat);
	reply.headers({
		ETag: etag,
		'Cache-Control': 'private, no-cache',
		Vary: 'Authorization',
	});
	if (known && lists(known, etag))
		return reply.code(304).send();
	return reply.send(view(game, heist, seat));
}

async function moveChip(pool, request) {
	const hash = tokenHash(request);
	const { game_id: id, color: code, stars } = request.params;
	const color = COLORS.indexOf(code);
	const wanted = request.headers['if-match'];

	// Decided anew as long as others are faster.
	for (;;) {
		const game = await load(pool, id);
		const seat = seatOf(game, hash);
		if (wanted && !lists(wanted, etagOf(game, seat)))
			throw new Refusal(412, 'version_mismatch',
				'The game has another version.');
		const heist = decode(game.state);
		const events = take(heist, seat, color, stars,
			request.body?.from);
		const at = await commit(pool, game, heist, events, seat, color);
		if (at) {
			game.version += events.length;
			game.updated_at = at;
			return { game, heist, seat };
		}
	}
}

function sendProblem(error, request, reply) {
	const status = error.validation
		? (error.validationContext === 'params' ? 404 : 422)
		: error.statusCode ?? 500;
	const code = status === 500 ? 'internal' : error.code;
	reply.code(status).type('application/problem+json').send({
		type: `/problems/${code}`,
		title: code,
		status,
		detail: status === 500 ? 'The service failed.' : error.message,
		instance: request.url,
		code,
	});
}

function build(pool) {
	const app = fastify({
		logger: false,
		ajv: { customOptions: { removeAdditional: false } },
	});
	const { params, takeBody } = schema;
	const response = { 200: schema.view };

	app.setErrorHandler(sendProblem);
	app.get('/v1/games/:game_id', { schema: { params, response } },
		async (request, reply) => {
			const hash = tokenHash(request);
			const game = await load(pool, request.params.game_id);
			const seat = seatOf(game, hash);
			return sendView(reply, game, decode(game.state), seat,
				request.headers['if-none-match']);
		});
	app.post('/v1/games/:game_id/chips/:color/:stars/take',
		{ schema: { params, body: takeBody, response } },
		async (request, reply) => {
			const { game, heist, seat } =
				await moveChip(pool, request);
			return sendView(reply, game, heist, seat);
		});
	return app;
}

if (cluster.isPrimary) {
	let listening = 0;
	cluster.on('listening', (worker, { address, port }) => {
		if (++listening === WORKERS)
			console.log(`listening on ${address}:${port}`);
	});
	cluster.on('exit', () => process.exit(1));
	for (let i = 0; i < WORKERS; i++)
		cluster.fork();
} else {
	build(new Pool({ max: POOL })).listen({ host: '127.0.0.1', port: 0 });
}
