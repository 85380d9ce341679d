-- oldest compatible: 0004
-- Whether the history of this program was made up for the demo (deploy/demo). No operation sets it.
alter table programs add column is_demo boolean not null default false;
