-- oldest compatible: 0004
-- What each version of a partner-program record says of earnings. Tracking stores with each sale the
-- version that it knew, so a sale earns by the group that it was stored under (create-commission.ts).
create table partner_versions (
  program_id bigint not null,
  partner_id bigint not null,
  version bigint not null,
  group_id bigint not null,
  status text not null check (status in ('approved', 'suspended', 'removed')),
  primary key (program_id, partner_id, version),
  foreign key (program_id, partner_id) references partner_programs (program_id, partner_id),
  foreign key (program_id, group_id) references groups (program_id, id)
);

revoke update, delete on partner_versions from :role;

insert into partner_versions (program_id, partner_id, version, group_id, status)
select program_id, partner_id, version, group_id, status
from partner_programs
where version > 0
union all
select
  program_id, partner_id, version + 1, (proposed ->> 'group_id')::bigint, proposed ->> 'status'
from partner_programs
where proposed is not null;

-- The newest sale that was stored before the version was added: it takes effect with the next one,
-- whatever the clocks say. Null: effective_from decides.
alter table policies add column after_sale_id bigint;
