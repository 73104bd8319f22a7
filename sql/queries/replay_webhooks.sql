-- Let what the webhook was sent, or was to be sent, since $1 be due once more: a row for
-- each.  It is sent also if it is out of date by now.
UPDATE gangd.notification
SET due_at = now(), expires_at = now() + interval '1 day', attempts = 0,
    is_replay = true
WHERE target = decode(repeat('00', 32), 'hex')
  AND created_at >= $1::text::timestamptz
RETURNING 1
