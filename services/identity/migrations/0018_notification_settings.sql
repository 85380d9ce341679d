-- oldest compatible: 0004
-- Which notices a person gets by mail, and how often. A kind without a row has its default.
create table notification_settings (
  user_id bigint not null references users on delete cascade,
  kind text not null,
  frequency text not null check (frequency in ('instant', 'daily', 'weekly', 'off')),
  primary key (user_id, kind)
);
