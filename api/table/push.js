// push.js - notifications by Web Push.  A browser has one subscription for all its
// games; each seat with notifications sends it to the service, and keeps that here
// as `push`.  worker.js shows the notifications, with texts that this page keeps.
import { Problem } from "../client/index.js";
import { toggle } from "./fields.js";
import { allGames } from "./games.js";
import { allSeats, isOver, keepSeat, seatOf } from "./seats.js";
import { base, gangd } from "./service.js";
import { tellError, toast } from "./status.js";
import { t } from "./text.js";

const codes = () => ["your_turn", "game_started", "game_won", "game_lost", "game_over",
	"rematch", "changed", ...allGames().flatMap(({ notices }) => notices ?? [])];

// The operator's key: undefined until it is asked for, null without one.
let key;

const isPossible = () => Boolean(navigator.serviceWorker) &&
	"PushManager" in window && Notification.permission !== "denied";
const isAllowed = () => isPossible() && Notification.permission === "granted";

/** Keeps the texts of the notifications where the worker finds them. */
export async function keepNotices() {
	if (!isAllowed())
		return;
	const texts = Object.fromEntries(codes().map((code) => [code, t(`push_${code}`)]));
	const cache = await caches.open("gangd-table");
	await cache.put(new URL("notices", base), Response.json({ title: t("title"),
		lang: document.documentElement.lang, texts }));
}

async function loadKey() {
	key ??= (await gangd.request("GET", "/v1/push")).application_server_key;
}

/** The browser's subscription; an older one may be of another key. */
async function subscribe() {
	await loadKey();
	const { pushManager } = await navigator.serviceWorker.ready;
	const wanted = { userVisibleOnly: true, applicationServerKey: key };
	try {
		return await pushManager.subscribe(wanted);
	} catch (error) {
		const old = await pushManager.getSubscription();
		if (!old)
			throw error;
		await old.unsubscribe();
		return pushManager.subscribe(wanted);
	}
}

/** Sends the subscription of the seat to the service. */
async function send(seat, subscription) {
	const { subscription: id } = await gangd.seat(seat).request("PUT", "/push",
		{ body: subscription });
	keepSeat({ id: seat.id, push: { id, endpoint: subscription.endpoint } });
}

/** Removes the subscription. */
const takeBack = (seat) => gangd.seat(seat)
	.request("DELETE", `/push?subscription=${seat.push.id}`);

/** Sends the subscription again for the seats that have sent a different one: the
 * browser may replace it at any time. */
export async function renewPush() {
	const seats = allSeats().filter((seat) => seat.push && !isOver(seat));
	if (!isAllowed() || seats.length === 0)
		return;
	const subscription = await subscribe();
	for (const seat of seats) {
		if (seat.push.endpoint !== subscription.endpoint) {
			await send(seat, subscription);
			await takeBack(seat);
		}
	}
}

async function turnOn(id) {
	await Notification.requestPermission();
	if (Notification.permission === "denied")
		toast(t("push_denied"));
	if (!isAllowed())
		return;
	await keepNotices();
	await send(seatOf(id), await subscribe());
}

/** The last seat takes the browser's subscription along. */
async function turnOff(id) {
	await takeBack(seatOf(id));
	keepSeat({ id, push: undefined });
	if (!allSeats().some((each) => each.push && !isOver(each))) {
		const { pushManager } = await navigator.serviceWorker.ready;
		await (await pushManager.getSubscription())?.unsubscribe();
	}
}

/** A switch for the notifications of a game, where there can be any. */
export function pushSwitch(game) {
	const { id } = game.seat;
	const seat = seatOf(id);
	if (!isPossible() || !game.you || !seat || isOver(game.view))
		return false;
	if (key === undefined) {
		key = null;
		loadKey().then(() => game.draw(), () => {});
	}
	return key && toggle(t("push"), isAllowed() && Boolean(seat.push),
		async (isOn) => {
			try {
				await (isOn ? turnOn(id) : turnOff(id));
			} catch (error) {
				if (error instanceof Problem)
					tellError(error);
				else
					toast(t("push_failed"), "bad");
			}
			game.draw();
		});
}

/** Answers the worker: whether this page shows a game, and to show it. */
function hear({ data: { asked, open, isLost }, ports: [port] }) {
	port?.postMessage(location.hash.split("/")[2] === asked);
	if (open)
		location.hash = `#/game/${open}`;
	if (isLost)
		renewPush().catch(() => {});
}

navigator.serviceWorker?.addEventListener("message", hear);
