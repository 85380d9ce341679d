import { type Static, Type } from "@sinclair/typebox"
import { BulkIds, BulkRows } from "../../../lib/bulk"
import { operation } from "../../../lib/bus/operation"
import {
  Email,
  Id,
  IdText,
  LinkCode,
  ListOf,
  Name,
  Note,
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
  note: Nullable(Type.String()), // the advertiser's
  created_at: Time,
})

export type Partner = Static<typeof Partner>

const SORTED_BY = ["name", "clicks", "balance_cents", "created_at"] as const

/** The query of GET …/partners without its page (behaviour 3.6.3). */
export const PartnerQuery = Type.Object({
  status: Type.Optional(PartnerStatus),
  search: Type.Optional(Name), // in names, e-mail addresses and codes, in any case
  group_id: Type.Optional(IdText),
  sort: Type.Optional(OneOf(...SORTED_BY, ...SORTED_BY.map(name => `-${name}` as const))),
})

/** Which partners to list. Absent: all of them, by id. */
export const PartnerFilter = Type.Object({
  ...PartnerQuery.properties,
  group_id: Type.Optional(Id),
})
export type PartnerFilter = Static<typeof PartnerFilter>

/**
 * What the listed partners add up to, on all pages: their balances, and how many have each status,
 * whatever status the query names.
 */
export const PartnerSums = Type.Object({
  statuses: Type.Object({
    approved: Type.Integer(),
    suspended: Type.Integer(),
    removed: Type.Integer(),
  }),
  balances: Partner.properties.balances,
})
export type PartnerSums = Static<typeof PartnerSums>

export const NewPartner = Type.Object({
  email: Email,
  name: Title,
  code: Type.Optional(LinkCode), // of the first link; absent: generated
  group_id: Type.Optional(Id), // absent: the Default group
})

/** Fields that commissions and tracking act on. */
const Standing = { status: Type.Optional(PartnerStatus), group_id: Type.Optional(Id) }

/** The body of PUT …/partners/:partnerId. Absent fields do not change. */
export const PartnerChange = Type.Object({
  ...Standing,
  name: Type.Optional(Title),
  email: Type.Optional(Email),
  note: Type.Optional(Nullable(Note)),
})
export type PartnerChange = Static<typeof PartnerChange>

/** The body of POST …/partners/bulk. `group_id` is required by "move". */
export const PartnersChange = Type.Object({
  action: OneOf("approve", "suspend", "remove", "move"),
  ids: BulkIds,
  group_id: Type.Optional(Id),
})

/**
 * The partners of a program, including removed ones, and what they add up to. Ties are sorted by id.
 * Faults: unavailable (tracking, which knows codes and clicks).
 */
export const listPartners = operation("commissions.partner.list", {
  request: Type.Object({ program_id: Id, filter: Type.Optional(PartnerFilter), slice: Slice }),
  reply: Type.Object({
    ...ListOf(Partner).properties,
    sums: Type.Optional(PartnerSums), // absent: an older version
  }),
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
 * Changes a partner here and in tracking before it replies. Faults: missing, invalid (unknown group),
 * conflict (another partner of the program has the e-mail address), unavailable (the change may
 * still take effect).
 */
export const updatePartner = operation("commissions.partner.update", {
  request: Type.Object({ program_id: Id, partner_id: Id, change: PartnerChange }),
  reply: Partner,
})

/**
 * Gives many partners a status or a group, each by itself. Safe to repeat.
 * Faults: invalid (no group, or an unknown one).
 */
export const bulkUpdatePartners = operation("commissions.partner.bulk_update", {
  request: Type.Object({ program_id: Id, change: PartnersChange }),
  reply: Type.Object({ rows: BulkRows }),
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

/** The accounts of these partners of any program, without those that have none. Faults: none. */
export const findPartnerAccounts = operation("commissions.partner.find_accounts", {
  request: Type.Object({ partner_ids: Type.Array(Id) }),
  reply: Type.Object({
    accounts: Type.Array(Type.Object({ partner_id: Id, account_id: Id })),
  }),
})

/** A partner joined a program. */
export const PartnerRow = Type.Object({ id: Id, program_id: Id, partner_id: Id, created_at: Time })

export type PartnerRow = Static<typeof PartnerRow>
