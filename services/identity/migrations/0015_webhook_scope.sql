-- oldest compatible: 0004
-- A key may manage webhook endpoints. All rows satisfy the new check: none needs to be read.
alter table api_keys drop constraint api_keys_scopes_check;
alter table api_keys add constraint api_keys_scopes_check check (
  scopes <@ array[
    '*', 'program:list', 'program:read', 'program:create', 'program:update', 'program:delete',
    'program:go_live', 'program:regenerate-token', 'dashboard:view', 'webhook:manage'
  ]
) not valid;
