import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import {
  Email,
  Id,
  LinkCode,
  ListOf,
  Nullable,
  OneOf,
  Slice,
  Time,
  Title,
} from "../../../lib/fields"

const PartnerStatus = OneOf("approved", "suspended", "removed")

/** A partner of a program as the API shows it. Tracking owns the links and clicks. */
export const Partner = Type.Object({
  partner_id: Id,
  email: Type.String(),
  name: Type.String(),
  status: PartnerStatus,
  group_id: Id,
  balance_cents: Type.Integer(), // in the program's currency
  balances: Type.Array(Type.Object({ currency: Type.String(), balance_cents: Type.Integer() })),
  created_at: Time,
})

export type Partner = Static<typeof Partner>

export const NewPartner = Type.Object({
  email: Email,
  name: Title,
  code: Type.Optional(LinkCode), // of the first link; absent: generated
  group_id: Type.Optional(Id), // absent: the Default group
})

export const PartnerChange = Type.Object({
  status: Type.Optional(PartnerStatus),
  group_id: Type.Optional(Id),
})

/** The partners of a program by id, including removed ones. Faults: none. */
export const listPartners = operation("commissions.partner.list", {
  request: Type.Object({ program_id: Id, slice: Slice }),
  reply: ListOf(Partner),
})

/** One partner of a program. Faults: missing. */
export const showPartner = operation("commissions.partner.show", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Partner,
})

/**
 * Creates a partner and its first link, which appear together. The partner is always a new one, so
 * that no program learns which e-mail addresses other programs know.
 * Faults: invalid (unknown group), conflict (the program has a partner with this e-mail address, or
 * the code is taken), unavailable (try again).
 */
export const createPartner = operation("commissions.partner.create", {
  request: Type.Object({ program_id: Id, partner: NewPartner }),
  reply: Partner,
})

/**
 * Changes a partner here and in tracking before it replies.
 * Faults: missing, invalid (unknown group), unavailable (the change may still take effect).
 */
export const updatePartner = operation("commissions.partner.update", {
  request: Type.Object({ program_id: Id, partner_id: Id, change: PartnerChange }),
  reply: Partner,
})

/**
 * Stores the account of a partner, as identity decides it. Null: it was unbound; the
 * account `unbound_account_id` and the advertiser are then notified. Safe to repeat; a version that is
 * not newer than the stored one is ignored. Faults: missing.
 */
export const putPartnerAccount = operation("commissions.partner.put_account", {
  request: Type.Object({
    program_id: Id,
    partner_id: Id,
    account_id: Nullable(Id),
    version: Type.Optional(Id), // absent: 1, from an older version
    unbound_account_id: Type.Optional(Nullable(Id)),
  }),
  reply: Type.Object({}),
})

/** The names of these partners, without those that the program does not have. Faults: none. */
export const namePartners = operation("commissions.partner.name", {
  request: Type.Object({ program_id: Id, partner_ids: Type.Array(Id) }),
  reply: Type.Object({
    partners: Type.Array(Type.Object({ partner_id: Id, name: Type.String() })),
  }),
})

/** A partner joined a program. */
export const PartnerRow = Type.Object({ id: Id, program_id: Id, partner_id: Id, created_at: Time })

export type PartnerRow = Static<typeof PartnerRow>
