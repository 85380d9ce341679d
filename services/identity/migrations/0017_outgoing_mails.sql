-- oldest compatible: 0004
-- Mails on their way to delivery, written in the transaction that makes them necessary. `sealed` is
-- the recipient and the content (lib/outgoing-mails.ts). A row goes once delivery has it.
create table outgoing_mails (
  id uuid primary key,
  about text not null unique, -- a newer mail about the same replaces one that still waits
  sealed text not null,
  expires_at timestamptz(3) not null,
  try_after timestamptz not null default now()
);

create index on outgoing_mails (try_after);
