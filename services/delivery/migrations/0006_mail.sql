-- oldest compatible: 0001
-- The queue of mails. `sealed` is the recipient and the content (lib/outgoing-mails.ts). A mail that
-- is done stays for a while without it, so that it is known if it is handed over again.
create table mails (
  id uuid primary key, -- given where the mail is made; also its Message-ID
  sealed text,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'expired')),
  attempts int not null default 0,
  next_attempt_at timestamptz(3) not null default now(), -- while it is attempted: until when
  error text, -- of the last attempt
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  done_at timestamptz(3),
  check ((status = 'queued') = (done_at is null)),
  check (status = 'sent' or (status = 'queued') = (sealed is not null))
);

create index on mails (next_attempt_at) where status = 'queued';
create index on mails (done_at) where status <> 'queued';
