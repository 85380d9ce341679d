-- oldest compatible: 0004
-- When a member last looked at a program as one of its partners: the audit log has it once an hour.
create table partner_views (
  user_id bigint not null references users,
  program_id bigint not null references programs,
  partner_id bigint not null,
  viewed_at timestamptz(3) not null default now(),
  primary key (user_id, program_id, partner_id)
);
