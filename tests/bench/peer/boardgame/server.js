/*
 * server.js - the chips by boardgame.io, stored in PostgreSQL by its storage.
 *
 *   PGHOST, PGUSER, PGDATABASE   the database, as a role that may make tables
 *   WORKERS, POOL   processes (2), and connections of each to the database (8)
 *
 * Says "listening on 127.0.0.1:PORT" once it does, for each process: a match
 * is played in one of them, as its queue of moves is in memory.
 */
'use strict';

const { fork } = require('node:child_process');
const { PostgresStore } = require('bgio-postgres');
const { Server } = require('boardgame.io/server');

const game = require('./game.js');

const WORKERS = Number(process.env.WORKERS ?? 2);
const POOL = Number(process.env.POOL ?? 8);

async function serve() {
	const db = new PostgresStore({
		host: process.env.PGHOST,
		username: process.env.PGUSER,
		database: process.env.PGDATABASE,
		logging: false,
		pool: { max: POOL },
	});
	const server = Server({ games: [game], db, origins: [] });
	const { appServer } = await server.run(0);
	process.send(appServer.address().port);
}

// Start one after the other, since the first one creates the table.
function start(left) {
	if (left === 0)
		return;
	const child = fork(__filename, ['worker']);
	child.once('message', (port) => {
		console.log(`listening on 127.0.0.1:${port}`);
		start(left - 1);
	});
	child.on('exit', () => process.exit(1));
}

if (process.argv[2] === 'worker') {
	process.on('disconnect', () => process.exit());
	serve();
} else {
	start(WORKERS);
}
