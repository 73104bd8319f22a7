// waiting.js - the table before the game: who is here, the invitation, the start.
import { h } from "./dom.js";
import { face, icon } from "./drawings.js";
import { inviteText } from "./invite.js";
import { addBot, removePlayer } from "./people.js";
import { pushSwitch } from "./push.js";
import { nameOf, textOf } from "./rules.js";
import { t } from "./text.js";
import { topBar } from "./menu.js";

const LEVELS = ["novice", "steady", "sharp"];

export function waitingRoom(game) {
	const { view } = game;
	const [start] = game.legal("start");
	const isFull = view.players.length === view.seats;
	return [topBar(game, h("h1", {}, t("waiting_title"))),
		h("main", { class: "narrow waiting" },
			h("section", { class: "panel" },
				h("h2", {}, [t(view.ruleset), view.mode &&
					nameOf("modes", view.mode)].filter(Boolean).join(" · ")),
				view.mode && h("p", { class: "quiet" },
					textOf("modes", view.mode)),
				h("ol", { class: "rows people" }, places(game)),
				game.isHost && !isFull && botRow(game),
				pushSwitch(game)),
			view.you && !isFull && inviteText(game),
			h("div", { class: "dock" },
				start ? h("button", { class: "primary big",
					onclick: () => game.act(start.command) },
				nameOf("actions", "start")) :
					h("p", { class: "quiet" }, game.isHost ?
						game.rules.needsPlayers?.() ?? t("need_more_players") :
						t("host_starts")))),
	];
}

/** A row for each seat, taken or free. */
function places(game) {
	const { view } = game;
	return Array.from({ length: view.seats }, (_, at) => {
		const player = view.players.find(({ seat }) => seat === at + 1);
		return player?.name ? personRow(game, player) :
			h("li", { class: "row free", key: at + 1 },
				h("span", { class: "face" }, "+"),
				h("span", { class: "grow quiet" }, t("free_seat")));
	});
}

function personRow(game, player) {
	const isMe = player.seat === game.you?.seat;
	return h("li", { class: "row", key: player.seat }, face(player),
		h("span", { class: "grow" }, h("strong", {}, player.name),
			h("small", {}, [isMe && t("its_you"), player.host && t("host"),
				player.bot && t(`level_${player.bot.level}`)]
				.filter(Boolean).join(" · "))),
		game.isHost && !isMe && h("button", { class: "icon",
			"aria-label": t("remove_name", { name: player.name }),
			title: t("remove_name", { name: player.name }),
			onclick: () => removePlayer(game, player) }, icon("cross")));
}

const botRow = (game) => h("div", { class: "bots" },
	h("span", { class: "quiet" }, t("add_bot")),
	LEVELS.map((level) => h("button", { key: level,
		onclick: () => addBot(game, level) }, t(`level_${level}`))));
