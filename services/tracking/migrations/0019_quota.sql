-- oldest compatible: 0011
-- Whose a program is. Null: an older version sent it, and it has not changed since.
alter table programs add column workspace_id bigint;

-- Its workspace has stored as many events as its quota allows: clicks and the like are refused.
alter table programs add column is_over_quota boolean not null default false;

-- How many events each workspace has stored, where there is a quota.
create table workspace_events (
  workspace_id bigint primary key, -- negative: the id of a program whose workspace is not known
  events bigint not null,
  measured_at timestamptz(3) not null default now()
);
