import { beforeAll, describe, expect, test } from "bun:test"
import { app } from "../../../gateway/app"
import { newSale, sell, settle, wrongBalances } from "../../support/books"
import { columnsContaining } from "../../support/columns"
import { KEYS, newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { mailsTo, unsubscribePath } from "../../support/outbox"
import { newRefundOfPaidSale } from "../../support/paid-refund"
import { newPartnerAccount } from "../../support/partner-account"
import {
  newPostback,
  newPostbackDelivery,
  OWN_POSTBACKS,
  partnerPostbacks,
  programPostbacks,
} from "../../support/postback"
import {
  newClick,
  newOwner,
  newPartner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { RECEIVER, TRACKER } from "../../support/receiver"
import { newStripeProgram, session, signed, stripeEvent } from "../../support/stripe"
import { ENDPOINTS, newEndpoint, newTestDelivery } from "../../support/webhook-endpoint"
import { data_dir, send, sql } from "../../support/world"

const MARK = 424_242_424_242_424 // no id and no balance has this value
const PROGRAMS = "/api/advertiser/affiliate-programs"
const NOTIFICATIONS = "/api/advertiser/notifications"
const password = "correct horse battery"

let program: TestProgram
let foreign: TestProgram
beforeAll(async () => {
  program = await newStripeProgram()
  foreign = await newProgram()
})

/** Fields that a caller must not be able to set. */
const poison = () => ({
  id: MARK,
  user_id: MARK,
  workspace_id: foreign.workspace_id,
  is_test: true,
  balance_cents: MARK,
  clicks: MARK,
  version: MARK,
  token_hash: `${MARK}`,
  created_at: "2001-01-01T00:00:00.000Z",
  commission_id: MARK,
})

let count = 0
const unique = () => `mass-${process.pid}-${Date.now()}-${++count}`
const email = () => `${unique()}@example.com`
const here = () => program.path
const trackingToken = () => ({ token: program.api_token })

async function newCommission(step?: string) {
  const { commission_id } = await sell(program, program.code)
  if (step) await settle(program, commission_id, step)
  return commission_id
}

/** Creates a notification for a partner who is signed in. */
async function newPartnerNotification() {
  const { commission_id, partner_id } = await newSale(program)
  await settle(program, commission_id, "reject")
  const session = await newPartnerAccount({ ...program, partner_id })
  const { body } = await send("GET", "/api/partner/notifications", { token: session })
  return { session, id: body.data[0].id as number }
}

const invitation = async () =>
  (
    await send("POST", `/api/workspaces/${program.workspace_id}/invitations`, {
      token: program.session,
      body: { email: email(), role: "analyst" },
    })
  ).body.data.token

type Write = {
  path: string
  body: object
  token?: string
  headersOf?: (body: object) => Promise<Record<string, string>>
}
const click = (path: string) => async (): Promise<Write> => ({
  path,
  body: { affiliate_url: `https://shop.example/?aff=${program.code}`, status: "inactive" },
})
const lead = (path: string) => async (): Promise<Write> => ({
  path,
  ...trackingToken(),
  body: { click_id: await newClick(program), customer_status: "conversion", status: "conversion" },
})
const sale = (path: string) => async (): Promise<Write> => ({
  path,
  ...trackingToken(),
  body: {
    transaction_id: unique(),
    amount_cents: 100,
    click_id: await newClick(program),
    status: "refunded",
    state: "pending",
    payment_status: "unpaid",
    program_id: foreign.program_id,
  },
})
const refund = (path: string) => async (): Promise<Write> => {
  const { transaction_id } = await sell(program, program.code)
  return { path, ...trackingToken(), body: { transaction_id, status: "paid", deductionAmount: 0 } }
}
const commission = (step: string, after?: string) => async (): Promise<Write> => ({
  path: `${here()}/commissions/${await newCommission(after)}/${step}`,
  body: { status: "paid", amount_cents: 1, ...(step === "reject" && { reason: "Fraud" }) },
})

const endpoint = (action: string) => async (): Promise<Write> => ({
  path: `${ENDPOINTS}/${(await newEndpoint(program)).id}${action}`,
  body: { secret: "whsec_mine", secret_masked: `${MARK}`, description: "Massive" },
})

/** Calls of the routes of postbacks, with fields that a postback has in the database. */
function postbackWrites(
  route: string,
  pathOf: () => string,
  tokenOf = async () => program.session,
): Record<string, () => Promise<Write>> {
  const body = { account_id: MARK, partner_id: MARK, workspace_id: MARK, body_template: `${MARK}` }
  const change =
    (action = "", fields: object = body) =>
    async (): Promise<Write> => {
      const [path, token] = [pathOf(), await tokenOf()]
      return { path: `${path}/${await newPostback(path, token)}${action}`, token, body: fields }
    }
  const of = { status: "delivered", attempts: [], queued: MARK }
  return {
    [`POST ${route}`]: async () => ({
      path: pathOf(),
      token: await tokenOf(),
      body: { ...body, url: TRACKER, events: ["sale"] },
    }),
    [`PUT ${route}/:postbackId`]: change(),
    [`DELETE ${route}/:postbackId`]: change(),
    [`POST ${route}/:postbackId/test`]: change("/test", of),
    [`POST ${route}/:postbackId/replay`]: change("/replay", {
      ...of,
      since: new Date().toISOString(),
    }),
    [`POST ${route}/:postbackId/deliveries/:deliveryId/replay`]: async () => {
      const [path, token] = [pathOf(), await tokenOf()]
      const id = await newPostback(path, token)
      return {
        path: `${path}/${id}/deliveries/${await newPostbackDelivery(id)}/replay`,
        token,
        body: of,
      }
    },
  }
}

/** A valid call of each route that writes, with extra fields such as a status. */
const WRITES: Record<string, () => Promise<Write>> = {
  "POST /api/v1/track/click": click("/api/v1/track/click"),
  "POST /api/v1/track/lead": lead("/api/v1/track/lead"),
  "POST /api/v1/track/sale": sale("/api/v1/track/sale"),
  "POST /api/v1/track/refund": refund("/api/v1/track/refund"),
  "POST /api/tracking/click": click("/api/tracking/click"),
  "POST /api/tracking/lead": lead("/api/tracking/lead"),
  "POST /api/tracking/sale": sale("/api/tracking/sale"),
  "POST /api/tracking/refund": refund("/api/tracking/refund"),
  "POST /api/webhooks/stripe/:programId": async () => {
    const metadata = { ...poison(), service_click_id: await newClick(program) }
    const paid = { ...poison(), ...session({ metadata }), program_id: foreign.program_id }
    return {
      path: `/api/webhooks/stripe/${program.program_id}`,
      body: stripeEvent("checkout.session.completed", paid, { program_id: foreign.program_id }),
      headersOf: signed,
    }
  },
  [`POST ${PROGRAMS}`]: async () => ({
    path: PROGRAMS,
    body: { name: "Massive", status: "archived", published_at: "2001-01-01T00:00:00.000Z" },
  }),
  [`PUT ${PROGRAMS}/:id`]: async () => ({
    path: here(),
    body: { name: "Renamed", api_token_masked: "****", published_at: "2001-01-01T00:00:00.000Z" },
  }),
  [`DELETE ${PROGRAMS}/:id`]: async () => ({
    path: (await newProgramOf(program)).path,
    body: { status: "active" },
  }),
  [`POST ${PROGRAMS}/:id/go-live`]: async () => ({
    path: `${here()}/go-live`,
    body: { status: "archived", published_at: "2001-01-01T00:00:00.000Z" },
  }),
  [`POST ${PROGRAMS}/:id/regenerate-api-token`]: async () => ({
    path: `${(await newProgramOf(program)).path}/regenerate-api-token`,
    body: { api_token: "aff_mine", status: "archived" },
  }),
  [`DELETE ${PROGRAMS}/:id/customers/:customerKey`]: async () => {
    const customer_key = unique()
    await sell(program, program.code, { customer_key })
    return { path: `${here()}/customers/${customer_key}`, body: { program_id: foreign.program_id } }
  },
  [`DELETE ${PROGRAMS}/:id/customers`]: async () => {
    const customer_key = unique()
    await sell(program, program.code, { customer_key })
    const path = `${here()}/customers?customer_key=${customer_key}`
    return { path, body: { program_id: foreign.program_id, customer_key: "another" } }
  },
  [`PUT ${PROGRAMS}/:id/branding`]: async () => ({
    path: `${here()}/branding`,
    body: { color: "#0a5ea8", logo_hash: `${MARK}`, program_id: foreign.program_id },
  }),
  [`PUT ${PROGRAMS}/:id/terms`]: async () => ({
    path: `${here()}/terms`,
    body: { text: unique(), program_id: foreign.program_id },
  }),
  [`POST ${PROGRAMS}/:id/groups`]: async () => ({
    path: `${here()}/groups`,
    body: { name: unique(), policy: { kind: "percent", rate_bps: 1 }, is_default: true },
  }),
  [`PUT ${PROGRAMS}/:id/groups/:groupId`]: async () => {
    const groups = await send("GET", `${here()}/groups`, { token: program.session })
    const path = `${here()}/groups/${groups.body.data[0].id}`
    return { path, body: { name: unique(), is_default: false, program_id: foreign.program_id } }
  },
  [`POST ${PROGRAMS}/:id/partners`]: async () => ({
    path: `${here()}/partners`,
    body: { email: email(), name: "Massive", status: "suspended", account_id: MARK },
  }),
  [`PUT ${PROGRAMS}/:id/partners/:partnerId`]: async () => ({
    path: `${here()}/partners/${(await newPartner(program)).partner_id}`,
    body: { email: email(), account_id: MARK, partner_id: MARK },
  }),
  [`POST ${PROGRAMS}/:id/partners/bulk`]: async () => ({
    path: `${here()}/partners/bulk`,
    body: {
      action: "approve",
      ids: [(await newPartner(program)).partner_id],
      status: "removed",
      account: "bound",
      email: email(),
    },
  }),
  [`POST ${PROGRAMS}/:id/partners/:partnerId/invite`]: async () => ({
    path: `${here()}/partners/${program.partner_id}/invite`,
    body: { status: "accepted", email: email(), partner_id: MARK },
  }),
  [`DELETE ${PROGRAMS}/:id/partners/:partnerId/account`]: async () => {
    const { partner_id } = await newPartner(program)
    await newPartnerAccount({ ...program, partner_id })
    return {
      path: `${here()}/partners/${partner_id}/account`,
      body: { account_id: MARK, partner_id: MARK, status: "removed" },
    }
  },
  [`POST ${PROGRAMS}/:id/referral-links`]: async () => ({
    path: `${here()}/referral-links`,
    body: { partner_id: program.partner_id, status: "inactive", program_id: foreign.program_id },
  }),
  [`PUT ${PROGRAMS}/:id/referral-links/:linkId`]: async () => ({
    path: `${here()}/referral-links/${program.link_id}`,
    body: { partner_id: foreign.partner_id, code: foreign.code },
  }),
  [`POST ${PROGRAMS}/:id/commissions/bulk`]: async () => ({
    path: `${here()}/commissions/bulk`,
    body: { action: "approve", ids: [await newCommission()], status: "paid", amount_cents: 1 },
  }),
  [`POST ${PROGRAMS}/:id/commissions/:commissionId/approve`]: commission("approve"),
  [`POST ${PROGRAMS}/:id/commissions/:commissionId/reject`]: commission("reject"),
  [`POST ${PROGRAMS}/:id/commissions/:commissionId/mark-paid`]: commission("mark-paid", "approve"),
  [`POST ${NOTIFICATIONS}/read`]: async () => ({
    path: `${NOTIFICATIONS}/read`,
    body: { read_at: "2001-01-01T00:00:00.000Z", program_ids: [foreign.program_id] },
  }),
  [`POST ${NOTIFICATIONS}/:id/read`]: async () => {
    await newRefundOfPaidSale(program)
    const { body } = await send("GET", NOTIFICATIONS, { token: program.session })
    const path = `${NOTIFICATIONS}/${body.data[0].id}/read`
    return { path, body: { read_at: "2001-01-01T00:00:00.000Z", message: `${MARK}` } }
  },
  "POST /api/partner/links": async () => {
    const { partner_id } = await newPartner(program)
    const token = await newPartnerAccount({ ...program, partner_id })
    const body = { program_id: program.program_id, partner_id: MARK, status: "inactive" }
    return { path: "/api/partner/links", token, body }
  },
  "POST /api/partner/programs/:programId/terms": async () => {
    const { partner_id } = await newPartner(program)
    const terms = await send("PUT", `${here()}/terms`, {
      token: program.session,
      body: { text: unique() },
    })
    return {
      path: `/api/partner/programs/${program.program_id}/terms`,
      token: await newPartnerAccount({ ...program, partner_id }),
      body: { version: terms.body.data.version, partner_id: MARK, accepted_at: "2001-01-01" },
    }
  },
  "POST /api/partner/notifications/read": async () => ({
    path: "/api/partner/notifications/read",
    token: (await newPartnerNotification()).session,
    body: { account_id: MARK, partner_id: MARK },
  }),
  "POST /api/partner/notifications/:id/read": async () => {
    const { session, id } = await newPartnerNotification()
    const path = `/api/partner/notifications/${id}/read`
    return { path, token: session, body: { account_id: MARK, read_at: null, message: `${MARK}` } }
  },
  [`POST ${KEYS}`]: async () => ({
    path: KEYS,
    body: { name: "Massive", status: "revoked", key: "affk_mine", role: "owner" },
  }),
  [`PUT ${KEYS}/:id`]: async () => ({
    path: `${KEYS}/${(await newKey(program)).id}`,
    body: { name: "Massive", status: "revoked", expires_at: "2999-01-01T00:00:00Z" },
  }),
  [`DELETE ${KEYS}/:id`]: async () => ({
    path: `${KEYS}/${(await newKey(program)).id}`,
    body: { status: "active" },
  }),
  [`POST ${ENDPOINTS}`]: async () => ({
    path: ENDPOINTS,
    body: { url: RECEIVER, events: ["*"], status: "disabled", secret: "whsec_mine" },
  }),
  [`PUT ${ENDPOINTS}/:id`]: endpoint(""),
  [`DELETE ${ENDPOINTS}/:id`]: endpoint(""),
  [`POST ${ENDPOINTS}/:id/enable`]: endpoint("/enable"),
  [`POST ${ENDPOINTS}/:id/disable`]: endpoint("/disable"),
  [`POST ${ENDPOINTS}/:id/rotate-secret`]: endpoint("/rotate-secret"),
  [`POST ${ENDPOINTS}/:id/test`]: endpoint("/test"),
  [`POST ${ENDPOINTS}/:id/replay`]: async () => ({
    path: `${ENDPOINTS}/${(await newEndpoint(program)).id}/replay`,
    body: { since: new Date().toISOString(), status: "delivered", attempts: [], queued: MARK },
  }),
  [`POST ${ENDPOINTS}/:id/deliveries/:deliveryId/replay`]: async () => {
    const { id } = await newEndpoint(program, { events: ["endpoint.test"] })
    const delivery_id = await newTestDelivery(program, id)
    return {
      path: `${ENDPOINTS}/${id}/deliveries/${delivery_id}/replay`,
      body: { status: "delivered", attempts: [], event_id: "evt_mine" },
    }
  },
  ...postbackWrites(`${PROGRAMS}/:id/postbacks`, () => programPostbacks(program)),
  ...postbackWrites(`${PROGRAMS}/:id/partners/:partnerId/postbacks`, () =>
    partnerPostbacks(program),
  ),
  ...postbackWrites(
    OWN_POSTBACKS,
    () => OWN_POSTBACKS,
    async () => newPartnerAccount({ ...program, ...(await newPartner(program)) }),
  ),
  "POST /api/workspaces": async () => ({
    path: "/api/workspaces",
    token: (await newOwner()).session,
    body: { name: "Massive", role: "analyst", status: "suspended" },
  }),
  "PUT /api/workspaces/:id": async () => ({
    path: `/api/workspaces/${program.workspace_id}`,
    body: { name: "Massive", owner_id: MARK },
  }),
  "DELETE /api/workspaces/:id/invitations/:invitationId": async () => {
    const path = `/api/workspaces/${program.workspace_id}/invitations`
    const body = { email: email(), role: "analyst" }
    const { data } = (await send("POST", path, { token: program.session, body })).body
    return { path: `${path}/${data.id}`, body: { invitation_id: MARK } }
  },
  "DELETE /api/workspaces/:id/members/:userId": async () => {
    const session = await newMember(program, "analyst")
    const { user } = (await send("GET", "/api/auth/session", { token: session })).body.data
    const path = `/api/workspaces/${program.workspace_id}/members/${user.id}`
    return { path, body: { role: "owner" } }
  },
  "POST /api/workspaces/:id/invitations": async () => ({
    path: `/api/workspaces/${program.workspace_id}/invitations`,
    body: { email: email(), role: "analyst", status: "accepted", token: "affi_mine" },
  }),
  "PUT /api/workspaces/:id/members/:userId": async () => {
    const session = await newMember(program, "analyst")
    const { user } = (await send("GET", "/api/auth/session", { token: session })).body.data
    const path = `/api/workspaces/${program.workspace_id}/members/${user.id}`
    return { path, body: { role: "billing", email: email(), name: "Massive" } }
  },
  "POST /api/auth/sign-up": async () => ({
    path: "/api/auth/sign-up",
    body: { email: email(), password, name: "Massive", role: "admin", status: "suspended" },
  }),
  "POST /api/auth/sign-in": async () => ({
    path: "/api/auth/sign-in",
    body: { email: program.email, password, status: "suspended" },
  }),
  "POST /api/auth/show-invitation": async () => ({
    path: "/api/auth/show-invitation",
    body: { token: await invitation(), id: MARK, role: "owner", email: email() },
  }),
  "POST /api/auth/accept-invitation": async () => ({
    path: "/api/auth/accept-invitation",
    body: { token: await invitation(), password, role: "owner", status: "suspended" },
  }),
  "PUT /api/auth/notification-settings": async () => ({
    path: "/api/auth/notification-settings",
    body: { sale: "daily", email: email(), frequency: "off" },
  }),
  "POST /unsubscribe/:token": async () => {
    await newRefundOfPaidSale(program)
    const [mail] = await mailsTo(data_dir, program.email)
    return { path: unsubscribePath(mail!.text), body: { kinds: ["sale"], frequency: "daily" } }
  },
  "POST /api/auth/sign-out": async () => ({
    path: "/api/auth/sign-out",
    token: (await newOwner()).session,
    body: { session_id: MARK, status: "active" },
  }),
}

const FORMS = ["/sign-in", "/sign-up", "/invitation"]

describe("mass assignment:", () => {
  test("every route that writes has a row", () => {
    const writes = app.routes.filter(
      ({ method, path }) => method !== "GET" && !FORMS.includes(path), // they take the same fields
    )
    const routes = writes.map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(WRITES).sort()).toEqual([...new Set(routes)].sort())
  })

  test.each(Object.entries(WRITES))("%s ignores the extra fields", async (route, write) => {
    const { path, body: own, token = program.session, headersOf } = await write()
    const method = route.split(" ")[0]!
    const body = { ...poison(), ...own }
    const reply = await send(method, path, { token, body, headers: await headersOf?.(body) })
    expect([200, 201], JSON.stringify(reply.body)).toContain(reply.status)
    expect(JSON.stringify(reply.body)).not.toContain(`${MARK}`)
  })

  test("no extra field is stored anywhere", async () => {
    expect(await columnsContaining(sql, `${MARK}`)).toEqual([])
    expect(await columnsContaining(sql, "2001-01-01")).toEqual([])
  })

  test("no row went to another workspace, to test mode or to another status", async () => {
    const ids = await sql`
      select id, status
      from identity.programs
      where workspace_id = ${program.workspace_id}
      order by id
    `
    expect(ids.map(({ status }) => status)).toEqual(["active", "active", "archived", "active"])
    const own = ids.map(({ id }) => id as number)
    const foreignPrograms = await sql`
      select id
      from identity.programs
      where workspace_id = ${foreign.workspace_id}
    `
    expect(foreignPrograms).toEqual([{ id: foreign.program_id }] as never)

    for (const kind of ["click", "lead", "sale"]) {
      const tests = await sql`
        select id
        from ${sql(`tracking.affiliate_${kind}_events`)}
        where is_test and program_id in ${sql(own)}
      `
      expect(tests).toHaveLength(0)
    }
    const unexpected = await sql`
      select 'partner' as what
      from commissions.partner_programs
      where program_id in ${sql(own)} and status <> 'approved'
      union all
      select 'link'
      from tracking.referral_links
      where program_id in ${sql(own)} and (status <> 'active' or partner_id = ${foreign.partner_id})
      union all
      select 'member'
      from identity.memberships
      where workspace_id = ${program.workspace_id} and status <> 'active'
      union all
      select 'owner'
      from identity.memberships
      where workspace_id = ${program.workspace_id} and role = 'owner'
        and user_id <> ${program.user_id}
      union all
      select 'foreign key'
      from identity.api_keys
      where workspace_id = ${foreign.workspace_id}
    `
    expect(unexpected).toHaveLength(0)
    expect(await wrongBalances()).toHaveLength(0)
  })
})
