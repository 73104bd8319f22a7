-- gangd-push takes notifications by the push service that they are for, so that it takes
-- none that it has no room to send, and of each player's one before the next.  A seat has
-- the newest version of its game that its player was sent, which says whether the player
-- looks: on whatever daemon, and without a clock.
--
-- Rows that earlier programs write have no service; they share one's room.
-- compatible-from: 0012
ALTER TABLE gangd.push_subscription
	ADD COLUMN IF NOT EXISTS service bytea NOT NULL DEFAULT '\x';
COMMENT ON COLUMN gangd.push_subscription.endpoint_hash IS
	'SHA-256 of the endpoint; with a key file a keyed hash of it and of the token '
	'hash.  By it the subscription is replaced and removed.';
COMMENT ON COLUMN gangd.push_subscription.service IS
	'A keyed hash of the push service, the entry of a list of hosts that allows the '
	'endpoint.  Empty: not known.';
ALTER TABLE gangd.notification
	ADD COLUMN IF NOT EXISTS service bytea NOT NULL DEFAULT '\x',
	ADD COLUMN IF NOT EXISTS place smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN gangd.notification.service IS
	'That of the subscription.  Empty: not known, or the webhook.';
COMMENT ON COLUMN gangd.notification.place IS
	'How many others for Web Push the same change makes for this seat before it, at '
	'most 3: those with a lower place are taken first.';
ALTER TABLE gangd.seat
	ADD COLUMN IF NOT EXISTS seen_version integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN gangd.seat.seen_version IS
	'The newest version of the game that the player was sent, recorded in a game in '
	'which the seat wants to be told; a second late.';
CREATE INDEX IF NOT EXISTS notification_due_service
	ON gangd.notification (service, place, due_at)
	WHERE due_at IS NOT NULL AND target <> decode(repeat('00', 32), 'hex');
