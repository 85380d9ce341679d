-- What Stripe signs its webhooks of a program with, sealed (lib/secret-box.ts). A table of its own,
-- so that no query that shows a program comes near it.
create table stripe_secrets (
  program_id bigint primary key references programs on delete cascade,
  sealed text not null
);
