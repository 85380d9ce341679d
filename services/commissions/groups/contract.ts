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
