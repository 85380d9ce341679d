import { type Static, Type } from "@sinclair/typebox"
import { Id, Nullable, OneOf, Time } from "./fields"

// The rows that the audit of the books carries from their owner to the services that copy them or
// build on them (lib/owned-rows.ts). They are here because contracts must not import each other in
// a circle.

/** A program as identity owns it. tracking and commissions have copies. */
export const OwnedProgram = Type.Object({
  id: Id,
  workspace_id: Id,
  version: Type.Integer(), // of the last change that was applied; 0: none, it is being created
  is_changing: Type.Boolean(), // the copies may be ahead
  status: Nullable(OneOf("active", "paused", "archived")),
  currency: Nullable(Type.String()),
  cookie_window_days: Nullable(Type.Integer()),
  attribution_model: Nullable(Type.String()),
  lead_auth: Nullable(Type.String()),
})
export type OwnedProgram = Static<typeof OwnedProgram>

/** A partner-program record as commissions owns it. tracking has a copy. Listed by `partner_id`. */
export const OwnedPartner = Type.Object({
  id: Id, // the partner's
  program_id: Id,
  version: Type.Integer(), // 0: it is being created
  is_changing: Type.Boolean(), // the copy may be ahead
  status: OneOf("approved", "suspended", "removed"),
})
export type OwnedPartner = Static<typeof OwnedPartner>

/** The account that a partner is bound to, as identity owns it. commissions has a copy. */
export const OwnedBinding = Type.Object({
  id: Id, // the partner's
  program_id: Id,
  account_id: Nullable(Id), // null: it was unbound
  is_changing: Type.Boolean(), // the copy may not have it yet
})
export type OwnedBinding = Static<typeof OwnedBinding>

/** A sale as tracking owns it, with all that its commission follows from. */
export const BookedSale = Type.Object({
  id: Id,
  program_id: Id,
  partner_id: Id,
  transaction_id: Type.String(),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  product_id: Nullable(Type.String()),
  sale_date: Time,
  partner_version: Nullable(Id), // when the sale was stored; null: an older version stored it
  first_sale_id: Nullable(Id),
  commission_id: Nullable(Id),
  is_complete: Type.Boolean(), // false: a commission may exist although commission_id is null
})
export type BookedSale = Static<typeof BookedSale>

/** An audit entry as its service owns it. identity has a copy, known by its key. */
export const OwnedEntry = Type.Object({
  id: Id,
  entry_key: Type.String(),
  feed: OneOf("tracking", "commissions", "delivery"), // by which identity reads it
  xact: Type.String(), // that stored it
  hash: Type.String(), // of all its columns
})
export type OwnedEntry = Static<typeof OwnedEntry>

/** An outgoing event as its service owns it. delivery has a copy for some time, known by its key. */
export const OwnedEvent = Type.Object({
  id: Id,
  event_key: Type.String(),
  feed: OneOf("identity", "tracking", "commissions"), // by which delivery reads it
  xact: Type.String(), // that stored it, or anonymized it
  hash: Type.String(), // of all its columns
  at: Time,
})
export type OwnedEvent = Static<typeof OwnedEvent>
