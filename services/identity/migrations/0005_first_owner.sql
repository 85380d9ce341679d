-- oldest compatible: 0004
-- The first owner is invited by a command on the server, when there is no account yet. Null: that command.
-- An older version refuses an invitation without an inviter, as it would an unknown one.
-- squawk-ignore ban-drop-not-null
alter table invitations alter column invited_by drop not null;
