-- oldest compatible: 0004
-- Who created a key: it does no more than this person may do now, and ends when they are suspended.
-- Null: a key from before the audit log, which keeps the role that it was given.
alter table api_keys add column created_by bigint;

update api_keys
set created_by = entry.actor_id
from audit_entries as entry
where entry.action = 'api_key.create'
  and entry.subject_id = api_keys.id
  and entry.workspace_id = api_keys.workspace_id
  and entry.actor_kind = 'user';
