-- oldest compatible: 0001
-- Notices by mail: what happened, in a sentence, for a partner or for the members of a workspace.
create table notices (
  id bigint generated always as identity primary key,
  source_key uuid not null, -- of the event, or of what else happened
  kind text not null,
  workspace_id bigint not null,
  program_id bigint, -- null: it is of the workspace
  partner_id bigint, -- null: it is for the members of the workspace
  program text, -- its name, once the recipients are known
  message text not null,
  at timestamptz(3) not null,
  addressed_at timestamptz(3), -- null: the recipients are not known yet
  unique nulls not distinct (source_key, partner_id)
);

create index on notices (id) where addressed_at is null;
create index on notices (at);

-- Who gets a notice by mail. It is in one mail: `mail_id` is set in the transaction that queues it.
create table notice_recipients (
  notice_id bigint not null references notices on delete cascade,
  user_id bigint not null,
  frequency text not null check (frequency in ('instant', 'daily', 'weekly')),
  due_at timestamptz(3) not null,
  mail_id uuid,
  primary key (notice_id, user_id)
);

create index on notice_recipients (due_at) where mail_id is null;
create index on notice_recipients (user_id, frequency) where mail_id is null;
