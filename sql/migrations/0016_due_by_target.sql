-- An instance of gangd-push may send to the webhook alone, or by Web Push alone, and
-- leaves what it cannot send to others.  So what is due is found for each of the two by
-- an index of its own, past which no other notification has to be read.
--
-- compatible-from: 0012
CREATE INDEX IF NOT EXISTS notification_due_push ON gangd.notification (due_at)
	WHERE due_at IS NOT NULL AND target <> decode(repeat('00', 32), 'hex');
CREATE INDEX IF NOT EXISTS notification_due_webhook ON gangd.notification (due_at)
	WHERE due_at IS NOT NULL AND target = decode(repeat('00', 32), 'hex');
DROP INDEX IF EXISTS gangd.notification_due;
