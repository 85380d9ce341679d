import { beforeAll, describe, expect, test } from "bun:test"
import { app } from "../../../gateway/app"
import { type Caller, newCallers } from "../../support/access-callers"
import {
  JOINED_PROGRAM_ROUTES,
  OWN_POSTBACK_ROUTES,
  PARTNER_ROUTES,
  QUERIED_PROGRAM_ROUTES,
} from "../../support/access-partner"
import { QUERIES } from "../../support/access-queries"
import {
  type AccessRow,
  ENDPOINT_ROUTES,
  KEY_ROUTES,
  MEMBER_ROUTES,
  NOTIFICATION_ROUTES,
  PARTNER_POSTBACK_ROUTES,
  PROGRAM_POSTBACK_ROUTES,
  PROGRAM_ROUTES,
  PROGRAM_SESSION_ROUTES,
  REPORT_ROUTES,
  WORKSPACE_ROUTES,
} from "../../support/access-table"
import {
  ALIASES,
  PUBLIC_PROGRAM_ROUTES,
  PUBLIC_ROUTES,
  SESSION_ROUTES,
  TOKEN_ROUTES,
  WEBHOOK_ROUTES,
} from "../../support/access-without-roles"
import { newSale, sell, settle } from "../../support/books"
import { newKey } from "../../support/key"
import { PNG } from "../../support/logo"
import { newMember } from "../../support/member"
import { newRefundOfPaidSale } from "../../support/paid-refund"
import { newPartnerAccount } from "../../support/partner-account"
import {
  newPostback,
  newPostbackDelivery,
  OWN_POSTBACKS,
  partnerPostbacks as partnerPostbacksOf,
  programPostbacks as programPostbacksOf,
} from "../../support/postback"
import {
  newClick,
  newPartner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { newStripeProgram } from "../../support/stripe"
import { newEndpoint, newTestDelivery } from "../../support/webhook-endpoint"
import { send, sql } from "../../support/world"

/**
 * Every caller tries every route on every target. An allowed read gets 200. An allowed write gets
 * 400, since its body is broken: nothing changes, and 401, 403 and 404 are shown to precede 400.
 */
const BROKEN = "{"
const MISSING = "9007199254740991"

/** own: A's; sibling: in A's workspace too; mixed: A's path with an id of B's in it. */
type Target = "own" | "sibling" | "other" | "missing" | "mixed"
type PathIds = Record<string, unknown>
type Expect = (caller: Caller, target: Target) => number

let callers: Caller[]
const workspaces: Partial<Record<Target, PathIds>> = {}
const programs: Partial<Record<Target, PathIds>> = {}
const keys: Partial<Record<Target, PathIds>> = {}
const endpoints: Partial<Record<Target, PathIds>> = {}
const members: Partial<Record<Target, PathIds>> = {}
const notifications: Partial<Record<Target, PathIds>> = {}
const partners: Partial<Record<Target, PathIds>> = {}
const programPostbacks: Partial<Record<Target, PathIds>> = {}
const partnerPostbacks: Partial<Record<Target, PathIds>> = {}
const ownPostbacks: Partial<Record<Target, PathIds>> = {}
const publicPrograms: Partial<Record<Target, PathIds>> = {}

beforeAll(async () => {
  const a = await newStripeProgram()
  const sibling = await newProgramOf(a)
  const b = await newProgram()
  callers = await newCallers(a, b)

  Object.assign(programs, {
    own: await idsOf(a),
    sibling: await idsOf(sibling),
    other: await idsOf(b),
  })
  Object.assign(publicPrograms, {
    own: await publish(a),
    missing: { slug: "no-such-program", logo: "0".repeat(32) },
  })
  programs.missing = { ...programs.own, id: MISSING, programId: MISSING }
  programs.mixed = { ...programs.other, id: a.program_id }
  await addPostbacks("own", a)
  await addPostbacks("sibling", sibling)
  await addPostbacks("other", b)
  for (const ids of [programPostbacks, partnerPostbacks]) {
    ids.missing = { ...ids.own, id: MISSING }
    ids.mixed = { ...ids.own, postbackId: ids.other!.postbackId }
  }
  const partnerOfA = callers.find(({ role }) => role === "partner")!.token!
  ownPostbacks.own = await postbackIds(OWN_POSTBACKS, partnerOfA)
  ownPostbacks.missing = { postbackId: MISSING, deliveryId: MISSING }
  Object.assign(workspaces, {
    own: { workspace: a.workspace_id },
    other: { workspace: b.workspace_id },
    missing: { workspace: MISSING },
  })
  Object.assign(keys, {
    own: await newKey(a, { program_scope: [a.program_id] }),
    sibling: await newKey(a),
    other: await newKey(b),
    missing: { id: MISSING },
  })
  Object.assign(endpoints, {
    own: await testedEndpoint(a, { program_ids: [a.program_id] }),
    sibling: await testedEndpoint(a),
    other: await testedEndpoint(b),
    missing: { id: MISSING, deliveryId: MISSING },
  })
  const notificationIds = {
    own: await notificationIdsOf(a),
    sibling: await notificationIdsOf(sibling),
    other: await notificationIdsOf(b),
  }
  for (const target of ["own", "sibling", "other"] as const) {
    notifications[target] = { id: notificationIds[target].advertiser }
    partners[target] = { id: notificationIds[target].partner }
  }
  notifications.missing = { id: MISSING }
  partners.missing = { id: MISSING }
  const analyst = await userOf(await newMember(a, "analyst"))
  Object.assign(members, {
    own: { id: a.workspace_id, userId: analyst, invitationId: await invite(a) },
    sibling: { id: a.workspace_id, userId: a.user_id, invitationId: await invite(a) }, // an owner
    other: { id: b.workspace_id, userId: b.user_id, invitationId: await invite(b) },
    missing: { id: MISSING, userId: analyst, invitationId: MISSING },
    mixed: { id: a.workspace_id, userId: b.user_id, invitationId: await invite(b) },
  })
})

async function idsOf(program: TestProgram): Promise<PathIds> {
  const customerKey = `customer-of-${program.program_id}`
  const { sale_id, commission_id } = await newSale(program, { customer_key: customerKey })
  const { sale_id: partnerSaleId } = await sell(program, program.code)
  const click_id = await newClick(program)
  await send("POST", "/api/v1/track/lead", { body: { click_id } })
  const groups = await send("GET", `${program.path}/groups`, { token: program.session })
  const { program_id: id, partner_id: partnerId, link_id: linkId } = program
  const groupId = groups.body.data[0].id
  const [lead] = await sql<[{ leadEventId: number; clickEventId: number }]>`
    select id as "leadEventId", click_event_id as "clickEventId"
    from tracking.affiliate_lead_events
    where click_id = ${click_id}
  `
  return {
    ...lead,
    id,
    programId: id,
    groupId,
    partnerId,
    linkId,
    saleId: sale_id,
    partnerSaleId,
    commissionId: commission_id,
    customerKey,
  }
}

/** Creates a postback of each owner. The own one is that of another partner of the program. */
async function addPostbacks(target: Target, program: TestProgram) {
  const { program_id: id, partner_id: partnerId, session } = program
  const account = await newPartnerAccount({ ...program, ...(await newPartner(program)) })
  const [ofProgram, ofPartner] = [programPostbacksOf(program), partnerPostbacksOf(program)]
  programPostbacks[target] = { id, ...(await postbackIds(ofProgram, session)) }
  partnerPostbacks[target] = { id, partnerId, ...(await postbackIds(ofPartner, session)) }
  ownPostbacks[target] = await postbackIds(OWN_POSTBACKS, account)
}

async function postbackIds(path: string, token: string): Promise<PathIds> {
  const postbackId = await newPostback(path, token)
  return { postbackId, deliveryId: await newPostbackDelivery(postbackId) }
}

/** Publishes a program with a logo. */
async function publish({ path, session: token }: TestProgram): Promise<PathIds> {
  const { body } = await send("POST", `${path}/go-live`, { token })
  const branded = await send("PUT", `${path}/branding`, { token, body: { logo: PNG } })
  return { slug: body.data.slug, logo: branded.body.data.logo.split("/").at(-1) }
}

/** Creates a notification for the workspace and one for the program's first partner. */
async function notificationIdsOf(program: TestProgram) {
  const { commission_id } = await newRefundOfPaidSale(program)
  const { partner_id, code } = program
  const sold = await sell(program, code)
  await settle(program, sold.commission_id, "reject")
  const [ids] = await sql<[{ advertiser: number; partner: number }]>`
    select
      min(id) filter (where workspace_id is not null) as advertiser,
      min(id) filter (where partner_id = ${partner_id}) as partner
    from commissions.notifications
    where commission_id in (${commission_id}, ${sold.commission_id})
  `
  return ids
}

/** A webhook endpoint with a delivery. */
async function testedEndpoint(program: TestProgram, fields: object = {}): Promise<PathIds> {
  const { id } = await newEndpoint(program, fields)
  return { id, deliveryId: await newTestDelivery(program, id) }
}

let invited = 0

/** Invites an analyst. Returns the id of the invitation. */
async function invite({ workspace_id, session: token }: TestProgram): Promise<number> {
  const body = { email: `invited-${++invited}@people.example`, role: "analyst" }
  const path = `/api/workspaces/${workspace_id}/invitations`
  return (await send("POST", path, { token, body })).body.data.id
}

const userOf = async (token: string): Promise<number> =>
  (await send("GET", "/api/auth/session", { token })).body.data.user.id

const isRead = (route: string) => route.startsWith("GET")
const allowed = (route: string) => (isRead(route) ? 200 : 400)
const hasScope = ({ scopes = [] }: Caller, scope = "no key") =>
  scopes.includes("*") ? scope !== "no key" : scope.split(" ").some(each => scopes.includes(each))
const isMember = ({ role = "" }: Caller) => !["suspended", "stranger", "partner"].includes(role)

const ofProgram =
  ([route, roles, scope]: AccessRow): Expect =>
  (caller, target) => {
    if (caller.kind === "anonymous" || caller.kind === "program") return 401
    if (target === "other" || target === "missing") return 404
    if (caller.kind === "session" && !isMember(caller)) return 404
    if (caller.program && target === "sibling") return 403
    const may = hasScope(caller, scope) || roles.includes(caller.role ?? "no role")
    if (!may) return 403 // also where nothing is
    return target === "mixed" ? 404 : allowed(route)
  }

const ofProgramBySession =
  (row: AccessRow): Expect =>
  (caller, target) =>
    caller.kind === "session" ? ofProgram(row)(caller, target) : 401

/** A key's path names no workspace: callers who may manage keys learn that there is none. */
const ofKey =
  (row: AccessRow): Expect =>
  (caller, target) => {
    const isElsewhere = target === "other" || target === "missing"
    if (isElsewhere && (caller.kind === "key" || isMember(caller))) {
      const status = ofProgram(row)({ ...caller, program: undefined }, "own")
      return status === allowed(row[0]) ? 404 : status
    }
    return ofProgram(row)(caller, target)
  }

/** It is looked up in the caller's own workspace, so permission there comes first. */
const ofEndpoint =
  ([route, roles, scope]: AccessRow): Expect =>
  (caller, target) => {
    if (caller.kind === "anonymous" || caller.kind === "program") return 401
    if (caller.role === "stranger") return 404 // an owner elsewhere
    if (!hasScope(caller, scope) && !(isMember(caller) && roles.includes(caller.role ?? "no role")))
      return 403
    if (target === "other" || target === "missing") return 404
    return caller.program && target === "sibling" ? 404 : allowed(route)
  }

const ofWorkspace =
  ([route, roles, scope]: AccessRow): Expect =>
  (caller, target) => {
    if (caller.kind === "anonymous" || caller.kind === "program") return 401
    if (caller.kind === "key" && !scope) return 401
    if (target !== "own" || ["stranger", "partner"].includes(caller.role!)) return 404
    if (caller.program && scope === "program:create") return 403
    const may = hasScope(caller, scope) || roles.includes(caller.role ?? "no role")
    return may ? allowed(route) : 403
  }

const ofMember =
  ([route, roles]: AccessRow): Expect =>
  (caller, target) => {
    if (caller.kind !== "session") return 401
    if (target === "other" || target === "missing" || !isMember(caller)) return 404
    if (!roles.includes(caller.role!)) return 403
    if (target === "mixed") return 404
    if (!route.includes(":userId")) return allowed(route)
    return target === "sibling" && caller.role !== "owner" ? 403 : allowed(route)
  }

const ofPartner =
  ([route, role]: AccessRow): Expect =>
  (caller, target) => {
    if (caller.kind !== "session") return 401
    if (caller.role !== role) return 403
    return target === "own" || !route.includes("/:") ? allowed(route) : 404
  }

/** The caller is a partner of A's program alone. */
const ofJoinedProgram =
  ([route, role]: AccessRow): Expect =>
  (caller, target) => {
    if (caller.kind !== "session") return 401
    if (caller.role !== role) return 403
    return target === "own" ? allowed(route) : 404
  }

const ofReport =
  ([route, roles]: AccessRow): Expect =>
  (caller, target) => {
    if (caller.kind !== "session") return route.includes("/events/") ? 403 : 401
    if (target === "missing") return 404
    return target !== "other" && roles.includes(caller.role!) ? 200 : 403
  }

const ofSession =
  (route: string): Expect =>
  ({ kind }) =>
    kind === "session" ? allowed(route) : 401

const ofToken =
  (route: string): Expect =>
  ({ kind, name }) =>
    kind === "program" || (route.endsWith("/lead") && name === "no credential") ? 400 : 401

const ofWebhook =
  (route: string): Expect =>
  (_caller, target) =>
    target === "own" ? allowed(route) : 404

const FORMS = /^POST +\/(sign-in|sign-up|invitation)$/

const ofPublic =
  (route: string): Expect =>
  () => {
    if (FORMS.test(route)) return 415 // the body is JSON
    return /\/(web|unsubscribe)\/:/.test(route) ? 404 : allowed(route) // these are not guessed
  }

const ofPublicProgram: Expect = (_caller, target) => (target === "own" ? 200 : 404)

type Attempt = [route: string, target: Target, ids: () => PathIds, expected: Expect]

const attemptsOn = (
  rows: AccessRow[],
  of: typeof programs,
  targets: Target[],
  expected: typeof ofProgram,
) =>
  rows.flatMap(row =>
    targets
      .filter(target => target !== "mixed" || row[0].split("/:").length > 2)
      .map((target): Attempt => [row[0], target, () => of[target]!, expected(row)]),
  )
const attemptsWithoutIds = (routes: string[], expected: typeof ofSession) =>
  routes.map((route): Attempt => [route, "own", () => ({}), expected(route)])

const original = (alias: string) => ALIASES[alias]!
const ATTEMPTS: Attempt[] = [
  ...attemptsOn(
    PROGRAM_ROUTES,
    programs,
    ["own", "sibling", "other", "missing", "mixed"],
    ofProgram,
  ),
  ...attemptsOn(
    PROGRAM_POSTBACK_ROUTES,
    programPostbacks,
    ["own", "sibling", "other", "missing", "mixed"],
    ofProgram,
  ),
  ...attemptsOn(
    PARTNER_POSTBACK_ROUTES,
    partnerPostbacks,
    ["own", "sibling", "other", "missing"],
    ofProgram,
  ),
  ...attemptsOn(
    PARTNER_POSTBACK_ROUTES.filter(([route]) => route.includes(":postbackId")),
    partnerPostbacks,
    ["mixed"],
    ofProgram,
  ),
  ...attemptsOn(
    OWN_POSTBACK_ROUTES,
    ownPostbacks,
    ["own", "sibling", "other", "missing"],
    ofPartner,
  ),
  ...attemptsOn(
    PROGRAM_SESSION_ROUTES,
    programs,
    ["own", "sibling", "other", "missing"],
    ofProgramBySession,
  ),
  ...PUBLIC_PROGRAM_ROUTES.flatMap(route =>
    (["own", "missing"] as const).map((target): Attempt => {
      return [route, target, () => publicPrograms[target]!, ofPublicProgram]
    }),
  ),
  ...attemptsOn(WORKSPACE_ROUTES, workspaces, ["own", "other", "missing"], ofWorkspace),
  ...attemptsOn(KEY_ROUTES, keys, ["own", "sibling", "other", "missing"], ofKey),
  ...attemptsOn(ENDPOINT_ROUTES, endpoints, ["own", "sibling", "other", "missing"], ofEndpoint),
  ...attemptsOn(
    NOTIFICATION_ROUTES,
    notifications,
    ["own", "sibling", "other", "missing"],
    ofProgram,
  ),
  ...attemptsOn(PARTNER_ROUTES, partners, ["own", "sibling", "other", "missing"], ofPartner),
  ...attemptsOn(
    JOINED_PROGRAM_ROUTES,
    programs,
    ["own", "sibling", "other", "missing"],
    ofJoinedProgram,
  ),
  ...attemptsOn(
    QUERIED_PROGRAM_ROUTES,
    programs,
    ["own", "sibling", "other", "missing"],
    ofJoinedProgram,
  ),
  ...attemptsOn(MEMBER_ROUTES, members, ["own", "sibling", "other", "missing", "mixed"], ofMember),
  ...attemptsOn(REPORT_ROUTES, programs, ["own", "sibling", "other", "missing"], ofReport),
  ...attemptsWithoutIds(SESSION_ROUTES, ofSession),
  ...attemptsWithoutIds(TOKEN_ROUTES, ofToken),
  ...WEBHOOK_ROUTES.flatMap(route =>
    (["own", "other", "missing"] as const).map((target): Attempt => {
      return [route, target, () => programs[target]!, ofWebhook(route)]
    }),
  ),
  ...attemptsWithoutIds(PUBLIC_ROUTES, ofPublic),
  ...attemptsWithoutIds(
    Object.keys(ALIASES).filter(alias => TOKEN_ROUTES.includes(original(alias))),
    ofToken,
  ),
  ...attemptsWithoutIds(
    Object.keys(ALIASES).filter(alias => PUBLIC_ROUTES.includes(original(alias))),
    ofPublic,
  ),
]

const isQueried = (route: string) => QUERIED_PROGRAM_ROUTES.some(([queried]) => queried === route)

function tryRoute(route: string, ids: PathIds, { token }: Caller) {
  const [method, pattern] = route.split(/ +/) as [string, string]
  const ofProgram = isQueried(route) && isRead(route) ? ["program_id=:programId"] : []
  const query = [...ofProgram, ...(QUERIES[route] ?? [])].join("&")
  const path = `${pattern}${query && `?${query}`}`.replace(/:(\w+)/g, (_, name) => `${ids[name]}`)
  const headers: Record<string, string> = { "content-type": "application/json" }
  if (ids.workspace) headers["x-workspace-id"] = `${ids.workspace}`
  return send(method, path, { token, headers, body: isRead(route) ? undefined : BROKEN })
}

describe("access matrix:", () => {
  test("every gateway route has a row", () => {
    const named = [...new Set(ATTEMPTS.map(([route]) => route.replace(/ +/, " ")))]
    const routes = app.routes.map(({ method, path }) => `${method} ${path}`)
    expect([...new Set(routes)].sort()).toEqual(named.sort())
  })

  test.each(ATTEMPTS)("%s, %s", async (route, target, ids, expected) => {
    const replies = await Promise.all(
      callers.map(async caller => [caller.name, (await tryRoute(route, ids(), caller)).status]),
    )
    expect(Object.fromEntries(replies)).toEqual(
      Object.fromEntries(callers.map(caller => [caller.name, expected(caller, target)])),
    )
  })

  test.each(Object.entries(ALIASES))("%s replies like %s", async (alias, route) => {
    for (const caller of callers) {
      const [one, two] = [await tryRoute(alias, {}, caller), await tryRoute(route, {}, caller)]
      expect([one.status, one.body], caller.name).toEqual([two.status, two.body])
    }
  })

  test("no attempt changed anything", async () => {
    const token = callers.find(({ role }) => role === "owner")!.token
    const { id, partnerId } = programs.own!
    const path = `/api/advertiser/affiliate-programs/${id}`
    expect((await send("GET", path, { token })).body.data.status).toBe("active")
    const partner = await send("GET", `${path}/partners/${partnerId}`, { token })
    expect(partner.body.data.status).toBe("approved")
  })
})
