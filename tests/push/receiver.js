// receiver.js FOLDER WEBHOOK_PORT PUSH_PORT - a webhook and a push service.
//
// They write each accepted request as a line of FOLDER/received.jsonl before they
// answer.  Packages of others decrypt and verify it: standardwebhooks the
// webhook, http_ece and jws (of web-push) the push service.  FOLDER has keys.json
// (made here if it is missing), cert.pem and key.pem.
//
// The push service is also the webhook, at /hooks/NAME: one host for both.
//
// The last part of a path says how the push service answers: /NAME/ok and so on,
// see answers.
import { createECDH, createPublicKey, randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecure } from "node:https";
import { createRequire } from "node:module";
import ece from "http_ece";
import { Webhook } from "standardwebhooks";
import webPush from "web-push";

const require = createRequire(import.meta.url);
const jws = createRequire(require.resolve("web-push"))("jws");
const [folder, webhookPort, pushPort] = process.argv.slice(2);
const file = folder + "/keys.json";

function makeKeys() {
	const browser = createECDH("prime256v1");
	browser.generateKeys();
	return {
		vapid: webPush.generateVAPIDKeys(),
		browser: browser.getPrivateKey("base64url"),
		p256dh: browser.getPublicKey("base64url"),
		auth: randomBytes(16).toString("base64url"),
		secret: "whsec_" + randomBytes(32).toString("base64"),
		older: "whsec_" + randomBytes(24).toString("base64"),
	};
}

if (!existsSync(file))
	writeFileSync(file, JSON.stringify(makeKeys()));
const keys = JSON.parse(readFileSync(file, "utf8"));
const browser = createECDH("prime256v1");
browser.setPrivateKey(keys.browser, "base64url");

function note(line) {
	appendFileSync(folder + "/received.jsonl",
		JSON.stringify({ at: Date.now(), ...line }) + "\n");
}

async function read(request) {
	const parts = [];
	for await (const part of request)
		parts.push(part);
	return Buffer.concat(parts);
}

// --- the webhook ------------------------------------------------------------------

async function onWebhook(request, response) {
	const body = (await read(request)).toString();
	const status = existsSync(folder + "/webhook-fails") ? 503 : 204;
	try {
		// Either secret does, as while the operator changes it.
		for (const secret of [keys.secret, keys.older])
			new Webhook(secret).verify(body, request.headers);
		note({ kind: "webhook", id: request.headers["webhook-id"], status,
			fields: request.headers, payload: JSON.parse(body) });
		response.writeHead(status).end();
	} catch (error) {
		note({ kind: "bad", error: String(error) });
		response.writeHead(400).end();
	}
}

// --- the push service -------------------------------------------------------------

function publicKeyOf(point) {
	const bytes = Buffer.from(point, "base64url");
	return createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256",
		x: bytes.subarray(1, 33).toString("base64url"),
		y: bytes.subarray(33).toString("base64url") } })
		.export({ type: "spki", format: "pem" });
}

function verifyVapid(request) {
	const [, token, key] =
		/^vapid t=([^,]+), k=(.+)$/.exec(request.headers.authorization) ?? [];
	if (key !== keys.vapid.publicKey)
		throw new Error("another application server key: " + key);
	if (!jws.verify(token, "ES256", publicKeyOf(key)))
		throw new Error("the token is not signed by the key");
	const { aud, exp, sub } = jws.decode(token).payload;
	const left = exp - Date.now() / 1000;
	if (aud !== "https://" + request.headers.host || left < 0 || left > 86400)
		throw new Error(`the token is for ${aud}, for ${left} s`);
	return sub;
}

const answers = {
	ok: (response) => response.writeHead(201).end(),
	gone: (response) => response.writeHead(410).end(),
	missing: (response) => response.writeHead(404).end(),
	busy: (response) => response.writeHead(429, { "Retry-After": "4" }).end(),
	redirect: (response) => response.writeHead(307,
		{ Location: `https://${response.req.headers.host}/redirected/ok` }).end(),
	slow: () => undefined,
	endless: (response) => {
		response.writeHead(500);
		const timer = setInterval(() => response.write("x".repeat(65536)), 1);
		response.on("close", () => {
			clearInterval(timer);
			note({ kind: "closed", path: response.req.url });
		});
	},
	// Taken, but the body never ends.
	trickle: (response) => {
		response.writeHead(201);
		const timer = setInterval(() => response.write("x"), 200);
		response.on("close", () => {
			clearInterval(timer);
			note({ kind: "trickled", path: response.req.url });
		});
	},
	large: (response) => response.writeHead(201).end("x".repeat(20000)),
};

async function onPush(request, response) {
	if (request.url.startsWith("/hooks/"))
		return onWebhook(request, response);
	const body = await read(request);
	const how = request.url.split("?")[0].split("/").at(-1);
	try {
		const contact = verifyVapid(request);
		const payload = JSON.parse(ece.decrypt(body, { version: "aes128gcm",
			privateKey: browser, authSecret: keys.auth }).toString());
		const { ttl, urgency, topic } = request.headers;
		note({ kind: "push", path: request.url, payload, contact, ttl, urgency,
			topic });
		answers[how](response);
	} catch (error) {
		note({ kind: "bad", path: request.url, error: String(error) });
		response.writeHead(400).end();
	}
}

const webhook = createServer(onWebhook);
webhook.keepAliveTimeout = 60000;
webhook.listen(Number(webhookPort), "127.0.0.1", () =>
	createSecure({ cert: readFileSync(folder + "/cert.pem"),
		key: readFileSync(folder + "/key.pem") }, onPush)
		.listen(Number(pushPort), "127.0.0.1", () => console.log("ready")));
