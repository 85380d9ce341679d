import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Email, Id, LinkCode, ListOf, OneOf, Slice, Time, Title } from "../../../lib/fields"

const PartnerStatus = OneOf("approved", "suspended", "removed")

/** A partner-program record as it is shown; its links and clicks are tracking's. */
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
  code: Type.Optional(LinkCode), // of the first link; made up when absent
  group_id: Type.Optional(Id), // the Default group
})

export const PartnerChange = Type.Object({
  status: Type.Optional(PartnerStatus),
  group_id: Type.Optional(Id),
})

/** The partners of a program by id, removed ones too. Faults: none. */
export const listPartners = operation("commissions.partner.list", {
  request: Type.Object({ program_id: Id, slice: Slice }),
  reply: ListOf(Partner),
})

/** Faults: missing. */
export const showPartner = operation("commissions.partner.show", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Partner,
})

/**
 * Makes a partner with a first link; both appear together. Always a new one: that two programs
 * know an e-mail address is no business of either.
 * Faults: invalid (no such group), conflict (e-mail known in the program, or code taken),
 * unavailable: try again.
 */
export const createPartner = operation("commissions.partner.create", {
  request: Type.Object({ program_id: Id, partner: NewPartner }),
  reply: Partner,
})

/**
 * Changes a partner, here and in tracking, before it answers.
 * Faults: missing, invalid (no such group), unavailable: the change may come about by itself.
 */
export const updatePartner = operation("commissions.partner.update", {
  request: Type.Object({ program_id: Id, partner_id: Id, change: PartnerChange }),
  reply: Partner,
})

/**
 * Keeps whose account a partner belongs to, as identity has decided: never anybody else's later.
 * Safe to repeat. Faults: missing.
 */
export const putPartnerAccount = operation("commissions.partner.put_account", {
  request: Type.Object({ program_id: Id, partner_id: Id, account_id: Id }),
  reply: Type.Object({}),
})

/** The names of these partners, as far as the program has them. */
export const namePartners = operation("commissions.partner.name", {
  request: Type.Object({ program_id: Id, partner_ids: Type.Array(Id) }),
  reply: Type.Object({
    partners: Type.Array(Type.Object({ partner_id: Id, name: Type.String() })),
  }),
})

/** A partner joined a program: one partner-program record. */
export const PartnerRow = Type.Object({ id: Id, program_id: Id, partner_id: Id, created_at: Time })

export type PartnerRow = Static<typeof PartnerRow>
