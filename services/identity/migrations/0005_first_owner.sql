-- oldest compatible: 0004
-- The first owner is invited by a command on the server, when there is no account yet. Null: that command.
alter table invitations alter column invited_by drop not null;
