import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Time } from "../../../lib/fields"
import { SealedMail } from "../../../lib/outgoing-mails"

const Value = Type.String()

/** A kind of mail, with what its template needs. */
const mailOf = <Name extends string, Fields extends string>(name: Name, ...fields: Fields[]) =>
  Type.Object({
    template: Type.Literal(name),
    to: Value, // an e-mail address
    values: Type.Object(
      Object.fromEntries(fields.map(field => [field, Value])) as Record<Fields, typeof Value>,
    ),
  })

/** A mail before it is sealed: its template, its recipient and what the template is filled with. */
export const Mail = Type.Union([
  mailOf("invitation", "program", "token", "expires_at"),
  mailOf("member_invitation", "workspace", "inviter", "role", "token", "expires_at"),
  mailOf("notice", "subject", "message", "unsubscribe_token"),
  mailOf("digest", "count", "items", "unsubscribe_token"), // items: one a line
])
export type Mail = Static<typeof Mail>

/** Takes over mails, each once by its id, and sends them until they expire. Safe to repeat. */
export const queueMails = operation("delivery.mail.queue", {
  request: Type.Object({ mails: Type.Array(SealedMail, { minItems: 1, maxItems: 100 }) }),
  reply: Type.Object({}),
})

/** A mail in the outbox, as its recipient would see it. */
export const OutboxMail = Type.Object({
  id: Type.String(),
  at: Time,
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
})
export type OutboxMail = Static<typeof OutboxMail>

/**
 * The last mails that were written into the outbox instead of being sent, newest first. Faults:
 * missing (there is no outbox, because a mail server is set up).
 */
export const listOutbox = operation("delivery.mail.list_outbox", {
  request: Type.Object({}),
  reply: Type.Object({ rows: Type.Array(OutboxMail) }),
})
