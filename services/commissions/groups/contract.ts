import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { Id, Instant, ListOf, Name, Nullable, Slice, Time, Title } from "../../../lib/fields"

const Percent = {
  kind: Type.Literal("percent"),
  rate_bps: Type.Integer({ minimum: 0, maximum: 10_000 }), // of the sale, in its currency
}

const Fixed = {
  kind: Type.Literal("fixed"),
  // In the program's currency.
  amount_cents: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
}

const PRICE = "either kind percent and rate_bps (0 to 10000), or kind fixed and amount_cents"

/** The rate of one product, which overrides the general rate. */
const Product = Type.Union(
  [Type.Object({ product_id: Name, ...Percent }), Type.Object({ product_id: Name, ...Fixed })],
  { description: `a product rate: product_id, and ${PRICE}` },
)

/** Absent terms keep the previous version's value, or the default of `Policy` in a first one. */
const Terms = {
  duration_months: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_200 }))),
  hold_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 90 })),
  auto_approve: Type.Optional(Type.Boolean()),
  products: Type.Optional(Type.Array(Product, { maxItems: 1_000 })),
  effective_from: Type.Optional(Instant), // absent: now
}

/**
 * What the partners of a group earn (behaviour 3.5.1). `duration_months` null (the default): renewals
 * earn for a lifetime; 0: only the first payment earns. `hold_days` defaults to 15, `auto_approve`
 * to true.
 */
export const Policy = Type.Union(
  [Type.Object({ ...Percent, ...Terms }), Type.Object({ ...Fixed, ...Terms })],
  {
    description:
      `a policy: ${PRICE}. Optional: duration_months (0 to 1200, or null), hold_days (0 to 90), ` +
      "auto_approve (true or false), products (a list of product rates), effective_from (a time)",
  },
)

export type Policy = Static<typeof Policy>

/** Throws "invalid" for what the schema cannot check. */
export function checkPolicy({ products = [], effective_from }: Policy, isFirst: boolean) {
  if (new Set(products.map(({ product_id }) => product_id)).size < products.length) {
    throw new Fault("invalid", "products must list each product_id only once.")
  }
  if (effective_from === undefined) return
  if (isFirst) {
    throw new Fault(
      "invalid",
      "A group's first policy takes effect immediately: omit effective_from.",
    )
  }
  if (Date.parse(effective_from) < Date.now()) {
    throw new Fault("invalid", "effective_from must not be in the past: omit it to start now.")
  }
}

const versionFields = { version: Type.Integer(), effective_from: Time }

/** A version of a group's policy. */
export const PolicyVersion = Type.Union([
  Type.Object({ ...versionFields, ...Percent, ...Type.Required(Type.Object(Terms)).properties }),
  Type.Object({ ...versionFields, ...Fixed, ...Type.Required(Type.Object(Terms)).properties }),
])

export type PolicyVersion = Static<typeof PolicyVersion>

/** A group as the API shows it, with the latest version of its policy. */
export const Group = Type.Object({
  id: Id,
  name: Type.String(),
  is_default: Type.Boolean(),
  policy: PolicyVersion,
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

/** One group of a program. Faults: missing. */
export const showGroup = operation("commissions.group.show", {
  request: Type.Object({ program_id: Id, group_id: Id }),
  reply: Group,
})

/** The policy of the Default group that is in force. Faults: missing (no such program). */
export const showDefaultPolicy = operation("commissions.policy.show_default", {
  request: Type.Object({ program_id: Id }),
  reply: Group.properties.policy,
})

/** Every version of a group's policy, newest first. Faults: none. */
export const listPolicies = operation("commissions.policy.list", {
  request: Type.Object({ program_id: Id, group_id: Id, slice: Slice }),
  reply: ListOf(PolicyVersion),
})

/** Creates a group. Faults: invalid (a product twice, or an effective_from in a first policy). */
export const createGroup = operation("commissions.group.create", {
  request: Type.Object({ program_id: Id, group: NewGroup }),
  reply: Group,
})

/**
 * Renames a group, or adds a version to its policy.
 * Faults: missing, invalid (a product twice, an effective_from in the past), unavailable (tracking,
 * which knows the newest sale).
 */
export const updateGroup = operation("commissions.group.update", {
  request: Type.Object({ program_id: Id, group_id: Id, change: GroupChange }),
  reply: Group,
})
