import { type Static, Type } from "@sinclair/typebox"
import { auditOf, feedTotalsOf } from "../../lib/audit"
import { operation } from "../../lib/bus/contract"
import { Fault } from "../../lib/fault"
import { feedsOf } from "../../lib/feeds/feed"
import {
  Email,
  Id,
  Instant,
  LinkCode,
  ListOf,
  Name,
  Nullable,
  OneOf,
  Reason,
  Slice,
  Time,
  Title,
} from "../../lib/fields"
import { healthOf } from "../../lib/health"
import { entriesOf } from "../../lib/record-change"

/**
 * Creates the commission of a sale and books it to its partner (4.4). Asked again for the same
 * `sale_id`, it books nothing and answers the same. A renewal names its subscription's first sale,
 * whose policy says how long renewals earn (contract 4).
 * `commission_id` null: that time is over, and nothing was booked.
 * Faults: unavailable (the partner, or the first sale of the subscription, is not ready yet).
 */
export const createCommission = operation("commissions.commission.create", {
  request: Type.Object({
    sale_id: Id,
    program_id: Id,
    partner_id: Id,
    transaction_id: Type.String(),
    amount_cents: Type.Integer(), // of the sale
    currency: Type.String(),
    // That of fixed amounts, as this sale has fixed it. An older tracking leaves it to the program.
    program_currency: Type.Optional(Type.String()),
    product_id: Nullable(Type.String()),
    sale_date: Time,
    first_sale_id: Nullable(Id), // null: no renewal
  }),
  reply: Type.Object({ commission_id: Nullable(Id) }),
})

/**
 * Takes back what a sale earned, in proportion to the refund (4.5): status, ledger, balance and
 * notices in one transaction. The same `request_id` has the same answer.
 * `refund_amount_cents` null: all that is left. `sale_amount_cents` is the whole sale's.
 * Faults: invalid (more than the sale, or than remains).
 */
export const reverseCommission = operation("commissions.commission.reverse", {
  request: Type.Object({
    request_id: Type.String(),
    sale_id: Id,
    sale_amount_cents: Type.Integer(),
    refund_amount_cents: Nullable(Type.Integer()),
    refund_reason: Nullable(Type.String()),
    refund_id: Nullable(Name),
  }),
  reply: Type.Union([
    Type.Object({
      status: OneOf("reversed", "refunded"),
      commission_id: Id,
      deduction_cents: Type.Integer(), // before the clamp
      currency: Type.String(), // the commission's
    }),
    Type.Object({ status: Type.Literal("skipped"), commission_id: Id, reason: Type.String() }),
    Type.Object({ status: Type.Literal("no_commission") }),
  ]),
})

const Percent = {
  kind: Type.Literal("percent"),
  rate_bps: Type.Integer({ minimum: 0, maximum: 10_000 }), // of the sale, in its currency
}
const Fixed = {
  kind: Type.Literal("fixed"),
  amount_cents: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), // the program's
}
const PRICE = "kind percent with rate_bps (0 to 10000), or kind fixed with amount_cents"

/** What one product earns, whatever the rest does. */
const Product = Type.Union(
  [Type.Object({ product_id: Name, ...Percent }), Type.Object({ product_id: Name, ...Fixed })],
  { description: `a product_id with ${PRICE}` },
)

/** Absent terms stay as they were in the version before; of a first version, see below. */
const Terms = {
  duration_months: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_200 }))),
  hold_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 90 })),
  auto_approve: Type.Optional(Type.Boolean()),
  products: Type.Optional(Type.Array(Product, { maxItems: 1_000 })),
  effective_from: Type.Optional(Instant), // now
}

/**
 * What partners of a group earn (contract 3). `duration_months` null, as at first: renewals earn
 * for a lifetime; 0: the first payment only. `hold_days` is 15 at first, `auto_approve` true.
 */
export const Policy = Type.Union(
  [Type.Object({ ...Percent, ...Terms }), Type.Object({ ...Fixed, ...Terms })],
  {
    description:
      `a policy: ${PRICE}; if given, duration_months is 0 to 1200 or null, hold_days 0 to 90, ` +
      "auto_approve true or false, products a list of rates, effective_from a time",
  },
)
export type Policy = Static<typeof Policy>

/** Refuses a policy that no schema can. */
export function checkPolicy({ products = [], effective_from }: Policy, isFirst: boolean) {
  if (new Set(products.map(({ product_id }) => product_id)).size < products.length) {
    throw new Fault("invalid", "products must name each product_id once.")
  }
  if (effective_from === undefined) return
  if (isFirst) {
    throw new Fault("invalid", "A group's first policy begins at once: leave out effective_from.")
  }
  if (Date.parse(effective_from) < Date.now()) {
    throw new Fault("invalid", "effective_from must not be in the past: leave it out for now.")
  }
}

/**
 * Keeps what commissions must know of a program. Version 1 makes its Default group (30 %, or
 * `commission`); later ones with `commission` give that group a new version of its policy, once. An
 * `effective_from` in the past, or of a group's first policy, is taken as now.
 * Safe to repeat; an older version than the one known is ignored. Faults: none.
 */
export const putProgram = operation("commissions.program.put", {
  request: Type.Object({
    program_id: Id,
    version: Id,
    workspace_id: Id,
    currency: Type.String(),
    commission: Nullable(Policy),
  }),
  reply: Type.Object({}),
})

// Groups.

const inForce = { version: Type.Integer(), effective_from: Time }

/** A group as it is shown, with the last version of its policy. */
export const Group = Type.Object({
  id: Id,
  name: Type.String(),
  is_default: Type.Boolean(),
  policy: Type.Union([
    Type.Object({ ...inForce, ...Percent, ...Type.Required(Type.Object(Terms)).properties }),
    Type.Object({ ...inForce, ...Fixed, ...Type.Required(Type.Object(Terms)).properties }),
  ]),
})
export type Group = Static<typeof Group>

export const NewGroup = Type.Object({ name: Title, policy: Policy })
export const GroupChange = Type.Object({
  name: Type.Optional(Title),
  policy: Type.Optional(Policy), // a new version
})

/** The groups of a program, by id. Faults: none. */
export const listGroups = operation("commissions.group.list", {
  request: Type.Object({ program_id: Id, slice: Slice }),
  reply: ListOf(Group),
})

/** Faults: missing. */
export const showGroup = operation("commissions.group.show", {
  request: Type.Object({ program_id: Id, group_id: Id }),
  reply: Group,
})

/** Faults: invalid (a product twice, an effective_from: a first policy begins at once). */
export const createGroup = operation("commissions.group.create", {
  request: Type.Object({ program_id: Id, group: NewGroup }),
  reply: Group,
})

/** Faults: missing, invalid (a product twice, an effective_from in the past). */
export const updateGroup = operation("commissions.group.update", {
  request: Type.Object({ program_id: Id, group_id: Id, change: GroupChange }),
  reply: Group,
})

// Partners.

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

// Commissions.

export const CommissionStatus = OneOf(
  "pending",
  "approved",
  "paid",
  "rejected",
  "reversed",
  "refunded",
)

/** A commission as it is shown (contract 3). */
export const Commission = Type.Object({
  id: Id,
  sale_id: Id,
  transaction_id: Type.String(),
  partner_id: Id,
  amount_cents: Type.Integer(), // as earned: refunds do not change it
  currency: Type.String(),
  status: CommissionStatus,
  refund_reason: Nullable(Type.String()),
  rejection_reason: Nullable(Type.String()),
  refunded_cents: Type.Integer(), // of the sale
  hold_ends_at: Time,
  policy_version: Type.Integer(),
  created_at: Time,
})
export type Commission = Static<typeof Commission>

export const CommissionFilter = Type.Object({
  status: Type.Optional(CommissionStatus),
  partner_id: Type.Optional(Id),
})

/** The commissions of a program, newest first. Faults: none. */
export const listCommissions = operation("commissions.commission.list", {
  request: Type.Object({ program_id: Id, filter: CommissionFilter, slice: Slice }),
  reply: ListOf(Commission),
})

/** Faults: missing. */
export const showCommission = operation("commissions.commission.show", {
  request: Type.Object({ program_id: Id, commission_id: Id }),
  reply: Commission,
})

const Settled = Type.Object({ program_id: Id, commission_id: Id })

/** From pending to approved, whatever its hold. Safe to repeat. Faults: missing, conflict. */
export const approveCommission = operation("commissions.commission.approve", {
  request: Settled,
  reply: Commission,
})

/** The body of POST …/reject. */
export const Rejection = Type.Object({
  reason: Type.Optional(Nullable(Reason)),
})

/**
 * From pending or approved to rejected: it is taken off the balance, and the partner is told why.
 * Repeated, it keeps the first reason. Faults: missing, conflict.
 */
export const rejectCommission = operation("commissions.commission.reject", {
  request: Type.Composite([Settled, Rejection]),
  reply: Commission,
})

/**
 * From approved to paid: taken off the balance, and the partner is told. Safe to repeat.
 * Faults: missing, conflict.
 */
export const markCommissionPaid = operation("commissions.commission.mark_paid", {
  request: Settled,
  reply: Commission,
})

// Notices.

/** The last warns the advertiser, the others tell the partner. */
const NotificationKind = OneOf(
  "commission_rejected",
  "commission_paid",
  "commission_reversed",
  "commission_refunded",
  "paid_commission_refunded",
)

/** A notice as it is shown. `read_at` null: nobody has read it. */
export const Notification = Type.Object({
  id: Id,
  kind: NotificationKind,
  program_id: Id,
  commission_id: Id,
  transaction_id: Type.String(),
  message: Type.String(),
  read_at: Nullable(Time),
  created_at: Time,
})
export type Notification = Static<typeof Notification>

/** Whose notices: a person's, of all the partners that they are, or those of a workspace. */
const NotificationReader = Type.Union([
  Type.Object({ account_id: Id }),
  Type.Object({
    workspace_id: Id,
    program_ids: Nullable(Type.Array(Id)), // a key's; null: all
  }),
])
export type NotificationReader = Static<typeof NotificationReader>

/** The query of GET …/notifications. */
export const NotificationFilter = Type.Object({ unread: Type.Optional(OneOf("true", "false")) })

/** Notices, newest first. Faults: none. */
export const listNotifications = operation("commissions.notification.list", {
  request: Type.Object({ reader: NotificationReader, is_unread: Type.Boolean(), slice: Slice }),
  reply: ListOf(Notification),
})

/** Which program a warning is about, for whoever then asks what the caller may. Faults: missing. */
export const findWarning = operation("commissions.warning.find", {
  request: Type.Object({ notification_id: Id }),
  reply: Type.Object({ program_id: Id }),
})

/** Faults: missing. */
export const showNotification = operation("commissions.notification.show", {
  request: Type.Object({ reader: NotificationReader, notification_id: Id }),
  reply: Notification,
})

/** `read_at` stays what it was the first time. Safe to repeat. Faults: missing. */
export const markNotificationRead = operation("commissions.notification.mark_read", {
  request: Type.Object({ reader: NotificationReader, notification_id: Id }),
  reply: Notification,
})

/** The body of POST …/notifications/read: the newest that was seen. Absent: all there are. */
export const NotificationsRead = Type.Object({ through_id: Type.Optional(Id) })

/**
 * Marks all up to `through_id` as read (absent: all), in several transactions where they are many.
 * Safe to repeat. Faults: none.
 */
export const markAllNotificationsRead = operation("commissions.notification.mark_all_read", {
  request: Type.Composite([Type.Object({ reader: NotificationReader }), NotificationsRead]),
  reply: Type.Object({}),
})

// For reporting.

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

/** A commission as it was created: refunds do not change what reporting shows. */
export const CommissionRow = Type.Object({
  id: Id,
  program_id: Id,
  partner_id: Id,
  sale_id: Id,
  amount_cents: Type.Integer(),
  currency: Type.String(),
  created_at: Time,
})
export type CommissionRow = Static<typeof CommissionRow>

/** More of the feeds of final rows (lib/feeds/feed.ts). */
export const readFeeds = feedsOf("commissions.feed.read", {
  partners: PartnerRow,
  commissions: CommissionRow,
})

/** Who has changed what; for identity, which keeps the audit log. */
export const feedAuditEntries = entriesOf("commissions")

// For whoever checks the books.

export const auditBooks = auditOf("commissions")
export const totalFeeds = feedTotalsOf("commissions")

export const BookedCommission = Type.Object({
  sale_id: Id,
  commission_id: Id,
  program_id: Id,
  partner_id: Id,
  transaction_id: Type.String(),
})
export type BookedCommission = Static<typeof BookedCommission>

/** Commissions by their sales, as tracking must match them. */
export const listBookedCommissions = operation("commissions.commission.list_booked", {
  request: Type.Object({
    after_sale_id: Type.Integer(),
    through_sale_id: Type.Integer(),
    limit: Type.Integer(),
  }),
  reply: Type.Array(BookedCommission),
})

export const showHealth = healthOf("commissions")
