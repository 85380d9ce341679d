-- oldest compatible: 0004
-- The versions of a program's terms that a partner has accepted, each once.
create table accepted_terms (
  program_id bigint not null,
  partner_id bigint not null,
  version int not null,
  accepted_at timestamptz(3) not null default now(),
  primary key (program_id, partner_id, version),
  foreign key (program_id, version) references program_terms (program_id, version)
    on delete cascade
);

revoke update, delete on accepted_terms from :role;
