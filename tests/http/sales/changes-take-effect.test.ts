import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { freePort } from "../../../deploy/port"
import { DIES_WITH_PARENT } from "../../../deploy/unprivileged"
import { launchWithRateLimits } from "../../support/rate-limits"

const TIMEOUT_MS = 60_000
const ROUNDS = 3
const CALLS = 16 // after each change, on separate connections, so that both gateways get some
const EXPIRY_MS = 2_000
const EXPIRY_STEP_MS = 100
const PROGRAMS = "/api/advertiser/affiliate-programs"
const KEYS = "/api/advertiser/api-keys"
const hasServers = Boolean(Bun.which("redis-server") && Bun.which("nats-server"))
const NO_LIMIT = "1000000/1h"

type Send = Awaited<ReturnType<typeof launchWithRateLimits>>["send"]
let send: Send = {} as never
let redis: Bun.Subprocess

let owner: string
let program: { path: string; api_token: string; partner_id: number; link_id: number; code: string }
let member: { session: string; path: string; password: string; email: string }

let count = 0
const unique = (what: string) => `${what}-${process.pid}-${++count}`

async function request(method: string, path: string, body: object = {}, token = owner) {
  const answer = await send(method, path, { token, body: method === "GET" ? undefined : body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

async function newProgram() {
  const created = await request("POST", PROGRAMS, {
    name: "Program",
    website_url: "https://a.example",
  })
  const path = `${PROGRAMS}/${created.id}`
  const partner = { email: `${unique("partner")}@example.com`, name: "Partner" }
  const { partner_id, links } = await request("POST", `${path}/partners`, partner)
  return {
    path,
    api_token: created.api_token,
    partner_id,
    link_id: links[0].id,
    code: links[0].code,
  }
}

async function newMember(workspace: string) {
  const email = `${unique("member")}@example.com`
  const password = "correct horse battery"
  const { token } = await request("POST", `${workspace}/invitations`, { email, role: "analyst" })
  const joined = await request("POST", "/api/auth/accept-invitation", {
    token,
    password,
    name: "M",
  })
  return {
    session: joined.token as string,
    path: `${workspace}/members/${joined.user.id}`,
    password,
    email,
  }
}

type Answer = Awaited<ReturnType<Send>>
/** A change, and what every replica then replies to a call: a status, or `success`. */
type Step = {
  change: () => Promise<unknown>
  call: () => Promise<Answer>
  expected: number | boolean
}

const resultOf = ({ status, body }: Answer) => (status === 200 ? (body.success ?? 200) : status)
const get = (path: string, token: string) => () => send("GET", path, { token })
const sell = (token: string) => () => send("POST", "/api/v1/track/sale", { token, body: {} })
const put = (path: string, body: object) => () => request("PUT", path, body)
const newKey = (fields: object = {}) => request("POST", KEYS, { name: "Key", ...fields })
const noChange = async () => {}

/** One key for each round. They expire one after the other. */
const newExpiringKeys = (): Promise<{ key: string }[]> =>
  Promise.all(
    Array.from({ length: ROUNDS }, (_, i) => {
      const expires_at = new Date(Date.now() + EXPIRY_MS + i * EXPIRY_STEP_MS)
      return newKey({ expires_at })
    }),
  )
let expiring: { key: string }[]

const click = () => {
  const affiliate_url = `https://a.example/?aff=${program.code}`
  return send("POST", "/api/v1/track/click", { body: { affiliate_url } })
}
const paused = (path: string, off: object, on: object): Step[] => [
  { change: put(path, off), call: click, expected: false },
  { change: put(path, on), call: click, expected: true },
]

/** Each round begins with what is still accepted. */
const KINDS: [what: string, round: (i: number) => Promise<Step[]>][] = [
  [
    "a tracking token that is replaced",
    async () => {
      const old = program.api_token
      const change = async () => {
        program.api_token = (
          await request("POST", `${program.path}/regenerate-api-token`)
        ).api_token
      }
      const callNew = () => sell(program.api_token)()
      return [
        { change: noChange, call: sell(old), expected: 400 },
        { change, call: sell(old), expected: 401 },
        { change: noChange, call: callNew, expected: 400 },
      ]
    },
  ],
  [
    "the tracking token of a program that is archived",
    async () => {
      const { path, api_token } = await newProgram()
      return [
        { change: noChange, call: sell(api_token), expected: 400 },
        { change: () => request("DELETE", path), call: sell(api_token), expected: 401 },
      ]
    },
  ],
  [
    "a key that is revoked",
    async () => {
      const { id, key } = await newKey()
      return [
        { change: noChange, call: get(PROGRAMS, key), expected: 200 },
        {
          change: () => request("DELETE", `${KEYS}/${id}`),
          call: get(PROGRAMS, key),
          expected: 401,
        },
      ]
    },
  ],
  [
    "a key that expires",
    async i => {
      if (i === 0) expiring = await newExpiringKeys()
      const call = get(PROGRAMS, expiring[i]!.key)
      const expiry = async () => {
        while ((await call()).status === 200); // until either gateway refuses it
      }
      return [{ change: expiry, call, expected: 401 }]
    },
  ],
  [
    "a key whose scopes change",
    async () => {
      const { id, key } = await newKey({ scopes: ["program:list"] })
      const call = get(PROGRAMS, key)
      return [
        { change: noChange, call, expected: 200 },
        { change: put(`${KEYS}/${id}`, { scopes: ["program:read"] }), call, expected: 403 },
        { change: put(`${KEYS}/${id}`, { scopes: ["program:list"] }), call, expected: 200 },
      ]
    },
  ],
  [
    "a session that signs out",
    async () => {
      const { token } = await request("POST", "/api/auth/sign-in", member)
      const call = get("/api/auth/session", token)
      return [
        { change: noChange, call, expected: 200 },
        { change: () => request("POST", "/api/auth/sign-out", {}, token), call, expected: 401 },
      ]
    },
  ],
  [
    "a member who is suspended and reactivated",
    async () => [
      { change: noChange, call: get(program.path, member.session), expected: 200 },
      {
        change: put(member.path, { status: "suspended" }),
        call: get(program.path, member.session),
        expected: 404,
      },
      {
        change: put(member.path, { status: "active" }),
        call: get(program.path, member.session),
        expected: 200,
      },
    ],
  ],
  [
    "a member whose role changes",
    async () => {
      const headers = { "content-type": "application/json" }
      const call = () => send("PUT", program.path, { token: member.session, headers, body: "{" })
      return [
        { change: put(member.path, { role: "admin" }), call, expected: 400 },
        { change: put(member.path, { role: "analyst" }), call, expected: 403 },
      ]
    },
  ],
  [
    "a link that is deactivated and reactivated",
    async () =>
      paused(
        `${program.path}/referral-links/${program.link_id}`,
        { status: "inactive" },
        { status: "active" },
      ),
  ],
  [
    "a partner who is suspended and approved again",
    async () =>
      paused(
        `${program.path}/partners/${program.partner_id}`,
        { status: "suspended" },
        { status: "approved" },
      ),
  ],
  [
    "a program that is paused and resumed",
    async () => paused(program.path, { status: "paused" }, { status: "active" }),
  ],
]

/** Tests that each change takes effect on both gateways with its reply. */
const testChanges = () =>
  test.each(KINDS)("%s", async (_what, round) => {
    for (let i = 0; i < ROUNDS; i++) {
      for (const { change, call, expected } of await round(i)) {
        await change()
        const answers = await Promise.all(Array.from({ length: CALLS }, call))
        expect(answers.map(resultOf)).toEqual(Array(CALLS).fill(expected))
      }
    }
  })

describe.skipIf(!hasServers)("a change takes effect on all replicas", () => {
  beforeAll(async () => {
    const port = await freePort()
    const settings = ["--bind", "127.0.0.1", "--port", String(port), "--save", ""]
    redis = Bun.spawn([...DIES_WITH_PARENT, "redis-server", ...settings], { stdout: "ignore" })
    ;({ send } = await launchWithRateLimits({
      PROCESSES: "separate",
      REPLICAS: "2",
      REDIS_URL: `redis://127.0.0.1:${port}`,
      RATE_LIMIT_CLICKS: NO_LIMIT,
      RATE_LIMIT_SIGN_INS: NO_LIMIT,
      RATE_LIMIT_CREDENTIALS: NO_LIMIT,
      RATE_LIMIT_UNKNOWN_CREDENTIALS: NO_LIMIT,
      RATE_LIMIT_REPORTS: "1000",
    }))
    const body = { email: "owner@example.com", password: "correct horse battery", name: "Owner" }
    const { data } = (await send("POST", "/api/auth/sign-up", { body })).body
    owner = data.token
    program = await newProgram()
    member = await newMember(`/api/workspaces/${data.workspace.id}`)
  }, TIMEOUT_MS)

  afterAll(async () => {
    redis?.kill("SIGKILL")
    await redis?.exited
  })

  describe("as soon as it is confirmed:", testChanges)

  describe("also without Redis:", () => {
    beforeAll(async () => {
      redis.kill("SIGKILL")
      await redis.exited
    })
    testChanges()
  })
})
