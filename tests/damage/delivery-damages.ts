import type { Damage } from "./damages"

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
]
