import type { Damage } from "./damages"

const PROGRAM = "(select max(program_id) from tracking.programs)"
const PARTNER = "(select min(partner_id) from tracking.partner_programs)"

const TRACKING_PROGRAM = "Each program that tracking knows is as identity owns it"
const COMMISSIONS_PROGRAM = "Each program that commissions knows is as identity owns it"
const TRACKING_PARTNER = "Each partner that tracking knows is as commissions owns it"
const ACCOUNT = "Each partner has the account that identity bound it to"
const ENTRY = "The audit log has each entry as its service wrote it"
const LAST_CHANGE = "Each program is as its last change left it"

const tracking_program = (damage: string, change: string): Damage => ({
  damage,
  invariant: TRACKING_PROGRAM,
  sql: `update tracking.programs set ${change} where program_id = ${PROGRAM}`,
})

export const COPIES_DAMAGES: Damage[] = [
  tracking_program("a program's window that differs", "cookie_window_days = 7"),
  tracking_program("a program that is paused in tracking alone", "status = 'paused'"),
  tracking_program("a program's model that differs", "attribution_model = 'first_click'"),
  tracking_program("a program in an older version", "version = version - 1"),
  {
    damage: "a program that tracking has forgotten",
    invariant: TRACKING_PROGRAM,
    sql: `delete from tracking.programs where program_id = ${PROGRAM}`,
  },
  {
    damage: "a program that only tracking knows",
    invariant: TRACKING_PROGRAM,
    sql: `update tracking.programs set program_id = 999999 where program_id = ${PROGRAM}`,
  },
  {
    damage: "a program's currency that differs",
    invariant: COMMISSIONS_PROGRAM,
    sql: `update commissions.programs set currency = 'CHF' where program_id = ${PROGRAM}`,
  },
  {
    damage: "a program of another workspace",
    invariant: COMMISSIONS_PROGRAM,
    sql: `update commissions.programs set workspace_id = workspace_id + 1
      where program_id = ${PROGRAM}`,
  },
  {
    damage: "a partner who is suspended in tracking alone",
    invariant: TRACKING_PARTNER,
    sql: `update tracking.partner_programs set status = 'suspended' where partner_id = ${PARTNER}`,
  },
  {
    damage: "a partner whom tracking has forgotten",
    invariant: TRACKING_PARTNER,
    sql: `delete from tracking.partner_programs where partner_id = ${PARTNER}`,
  },
  {
    damage: "a partner whom only tracking knows",
    invariant: TRACKING_PARTNER,
    sql: `delete from commissions.partner_programs where partner_id = ${PARTNER}`,
  },
  {
    damage: "a partner with another person's account",
    invariant: ACCOUNT,
    sql: "update commissions.partners set account_id = 999999 where account_id is not null",
  },
  {
    damage: "an account that identity did not bind",
    invariant: ACCOUNT,
    sql: "delete from identity.partner_bindings",
  },
  {
    damage: "an entry that is missing in the audit log",
    invariant: ENTRY,
    sql: `delete from identity.audit_entries
      where entry_key = (select min(entry_key::text)::uuid from commissions.audit_entries)`,
  },
  {
    damage: "an entry that was altered in the audit log",
    invariant: ENTRY,
    sql: `update identity.audit_entries set details = '{"status": "other"}'
      where entry_key = (select min(entry_key::text)::uuid from commissions.audit_entries)`,
  },
  {
    damage: "an entry of another workspace",
    invariant: "Each entry of the audit log is in the workspace of its program",
    sql: `update identity.audit_entries set workspace_id = workspace_id - 1
      where program_id = ${PROGRAM}`,
  },
  {
    damage: "a program renamed past its changes",
    invariant: LAST_CHANGE,
    sql: `update identity.programs set name = 'Other' where id = ${PROGRAM}`,
  },
  {
    damage: "a program ahead of its changes",
    invariant: LAST_CHANGE,
    sql: `update identity.programs set version = version + 1 where id = ${PROGRAM}`,
  },
  {
    damage: "a slug that is reserved for none",
    invariant: "Each program has reserved its slug",
    sql: `delete from identity.program_slugs where program_id = ${PROGRAM}`,
  },
  {
    damage: "a workspace whose owner is suspended",
    invariant: "Each workspace has an active owner",
    sql: `update identity.memberships set status = 'suspended'
      where workspace_id = (select max(id) from identity.workspaces)`,
  },
]
