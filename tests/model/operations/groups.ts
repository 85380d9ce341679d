import type { Send } from "../client"
import { managed, readPages } from "../compare/pages"
import { text, UNKNOWN } from "../match"
import { exactly, isoOf, momentBeside, msOf, newMoment } from "../moment"
import { DAY_MS } from "../rules"
import type { Group, Policy, Program, Terms } from "../state"
import { groupView } from "../views"
import type { World } from "../world"
import { management } from "./management"
import type { Operation } from "./operation"
import { PRODUCTS } from "./purchases"

const GROUPS_MAX = 5
const error = { error: text() }

export function addGroup(program: Program, world: World): Operation {
  if (program.groups.length >= GROUPS_MAX) return changeGroup(program, world)
  const at = newMoment()
  const name = `Group ${++program.serial}`
  const policy = randomPolicy(program)
  const body = { name, policy }
  const request = { ...management(program, "POST", "/groups", body), kind: "group", about: [], at }
  if (program.status === "archived") return { ...request, status: 409, expected: error }
  const group: Group = {
    id: 0,
    name,
    is_default: false,
    policies: [{ ...withoutTerms(newPolicy(at)), ...policy }],
  }
  return {
    ...request,
    status: 201,
    expected: { data: groupView(group) },
    apply: () => {
      program.groups.push(group)
    },
    applyRepeated: send => storeAll(group, program, send),
  }
}

/** A change makes a new version, which takes over what the body does not name. */
export function changeGroup(program: Program, { now }: World): Operation {
  const { random } = program
  const group = random.pick(program.groups)
  const last = group.policies.at(-1)!
  const isLater = random.happens(0.2)
  const at = newMoment()
  const effective_from = isLater ? exactly(now + DAY_MS * (1 + random.below(5))) : at
  const policy = randomPolicy(program)
  const effective = isLater ? { effective_from: isoOf(effective_from) } : {}
  const isPending = last.isLater && msOf(last.effective_from) > now
  const name = `Group ${++program.serial}`
  const body = isPending ? { name } : { policy: { ...policy, ...effective } }
  const request = {
    ...management(program, "PUT", `/groups/${group.id}`, body),
    kind: "change group",
    about: [`group ${group.id}`],
    at,
  }
  if (program.status === "archived") return { ...request, status: 409, expected: error }
  if (isPending) {
    return {
      ...request,
      status: 200,
      expected: { data: groupView({ ...group, name }) },
      apply: () => {
        group.name = name
      },
    }
  }
  const next: Policy = {
    ...withoutTerms(last),
    ...policy,
    version: last.version + 1,
    effective_from,
    isLater,
  }
  const later: Policy = { ...next, version: UNKNOWN } // after a change whose answer was lost
  const withPolicy = (policy: Policy) => ({ ...group, policies: [...group.policies, policy] })
  return {
    ...request,
    status: 200,
    expected: { data: groupView(withPolicy(next)) },
    repeated: { status: 200, expected: { data: groupView(withPolicy(later)) } },
    apply: () => {
      group.policies.push(later.version === UNKNOWN ? next : later)
    },
  }
}

/** A group whose answer was lost may have been created, too: all that are new in the list were. */
async function storeAll(group: Group, program: Program, send: Send) {
  const { owner, groups } = program
  const rows = await readPages(send, owner.session, managed(program, "/groups"))
  for (const row of rows.slice(groups.length)) {
    const [policy] = group.policies as [Policy]
    const effective_from = exactly(Date.parse(row.policy.effective_from))
    groups.push({ ...group, id: row.id, policies: [{ ...policy, effective_from }] })
  }
}

function withoutTerms(policy: Policy) {
  const { version, effective_from, isLater, duration_months, hold_days, auto_approve, products } =
    policy
  return { version, effective_from, isLater, duration_months, hold_days, auto_approve, products }
}

export const newPolicy = (at: Policy["effective_from"]): Policy => ({
  kind: "percent",
  rate_bps: 3_000,
  version: 1,
  effective_from: momentBeside(at),
  isLater: false,
  duration_months: null,
  hold_days: 15,
  auto_approve: true,
  products: [],
})

function randomPolicy({ random }: Program) {
  return {
    ...randomTerms(),
    ...(random.happens(0.5) && { duration_months: random.pick([null, 0, 1, 2]) }),
    ...(random.happens(0.5) && { hold_days: random.pick([0, 1, 15, 90]) }),
    ...(random.happens(0.5) && { auto_approve: random.happens(0.5) }),
    ...(random.happens(0.5) && {
      products: PRODUCTS.filter(() => random.happens(0.4)).map(product_id => ({
        product_id,
        ...randomTerms(),
      })),
    }),
  }

  function randomTerms(): Terms {
    return random.happens(0.7)
      ? { kind: "percent", rate_bps: random.pick([0, 1, 333, 1_000, 2_550, 10_000]) }
      : { kind: "fixed", amount_cents: random.pick([0, 1, 250, 99_999]) }
  }
}
