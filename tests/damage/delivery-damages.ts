import type { Damage } from "./damages"

const COPIED = "Delivery has each event as its service wrote it"
const SIGNS = "Each enabled webhook endpoint has a secret to sign with"

export const DELIVERY_DAMAGES: Damage[] = [
  {
    damage: "a webhook endpoint without a secret",
    invariant: SIGNS,
    sql: "delete from delivery.webhook_secrets",
  },
  {
    damage: "a webhook endpoint whose secret ends",
    invariant: SIGNS,
    sql: "update delivery.webhook_secrets set valid_until = now() + interval '1 day'",
  },
  {
    damage: "a webhook endpoint that the queue lacks",
    invariant: "The queue of deliveries knows each webhook endpoint",
    sql: "delete from delivery.receivers",
  },
  {
    damage: "a delivery that was never made",
    invariant: "Each delivery that counts as delivered has an attempt that succeeded",
    sql: "update delivery.deliveries set status = 'delivered', next_attempt_at = null",
  },
  {
    damage: "a lost audit entry of a webhook endpoint",
    invariant: "The audit log has each entry as its service wrote it",
    sql: "delete from identity.audit_entries where action = 'webhook_endpoint.create'",
  },
  {
    damage: "an event that is set aside",
    invariant: "No row that delivery reads is set aside",
    sql: `insert into delivery.set_aside (feed, row, reason)
      values ('tracking', '{"id": 1, "program_id": 1}', 'it has no type')`,
  },
  {
    damage: "a lost event",
    invariant: COPIED,
    sql: "delete from delivery.events where id = (select max(id) from delivery.events)",
  },
  {
    damage: "an event that says something else",
    invariant: COPIED,
    sql: `update delivery.events set data = data || '{"id": 0}'
      where id = (select min(id) from delivery.events)`,
  },
  {
    damage: "an event lost from the middle of its log",
    invariant: "Each event log has a number for each event, without gaps",
    sql: "delete from delivery.events where sequence = 2",
  },
  {
    damage: "the last event lost from its log",
    invariant: "Each event log ends with the last event of its program",
    sql: `delete from delivery.events as event using delivery.event_logs as log
      where event.program_id = log.program_id and sequence = last_sequence`,
  },
]
