import { seededRandom } from "../../lib/random"
import type { Reply, Request, Send } from "./client"
import { differences } from "./match"
import { momentBeside, newMoment, setBounds } from "./moment"
import { newPolicy } from "./operations/groups"
import { addPartner } from "./operations/partners"
import type { Program } from "./state"
import { groupView, programView } from "./views"
import type { World } from "./world"

const PASSWORD = "correct horse battery"
const PROGRAMS = "/api/advertiser/affiliate-programs"
const PARTNERS = 4
const ACCOUNTS = 2
const TRIES_MAX = 100
const PAUSE_MS = 500

type Clock = { read: () => number }

class LostAnswer extends Error {}

/** A new program, begun again with a new owner if an answer is lost. */
export async function newProgram(...args: Parameters<typeof tryNewProgram>): Promise<Program> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryNewProgram(...args)
    } catch (error) {
      if (!(error instanceof LostAnswer) || tries === TRIES_MAX) throw error
      await Bun.sleep(PAUSE_MS)
    }
  }
}

/** A new program of a new owner with a key, with partners, some of which have an account. */
async function tryNewProgram(
  number: number,
  seed: string,
  world: World,
  send: Send,
  clock: Clock,
): Promise<Program> {
  const random = seededRandom(`${seed} program ${number}`)
  const ask = (request: Request, status: number) => mustBe(send, request, status)
  const unique = () => `${number}-${crypto.randomUUID().slice(0, 8)}`

  const email = `owner-${unique()}@example.com`
  const account = { email, password: PASSWORD, name: "Owner" }
  const signedUp = await ask({ method: "POST", path: "/api/auth/sign-up", body: account }, 201)
  const { token: session, workspace } = signedUp.body.data
  const keys = { method: "POST", path: "/api/advertiser/api-keys", token: session }
  const key = (await ask({ ...keys, body: { name: "Model" } }, 201)).body.data.key

  const from = clock.read()
  const settings = {
    name: `Program ${unique()}`,
    website_url: "https://shop.example",
    currency: random.pick(["USD", "USD", "EUR", "JPY", "KWD"]),
    attribution_model: random.pick(["last_click", "first_click"] as const),
    cookie_window_days: random.pick([1, 2, 7, 30]),
    lead_auth: random.happens(0.85) ? ("browser" as const) : ("server" as const),
  }
  const commission = {
    kind: "percent" as const,
    rate_bps: random.pick([1, 1_234, 3_000, 9_999]),
    duration_months: random.pick([null, null, 0, 1]),
    hold_days: random.pick([0, 0, 1, 15]),
  }
  const body = { ...settings, commission }
  const created = await ask({ method: "POST", path: PROGRAMS, token: session, body }, 201)
  const { id, slug, api_token } = created.body.data
  const at = newMoment()
  setBounds(at, from, clock.read())
  const policy = { ...newPolicy(momentBeside(at)), ...commission }
  const program: Program = {
    ...{ number, random, id, slug, api_token, api_token_masked: "", old_tokens: [], at },
    ...settings,
    owner: { email, session, key, workspace_id: workspace.id },
    status: "active",
    groups: [{ id: 0, name: "Default", is_default: true, policies: [policy] }],
    ...{ partners: [], links: [], customers: [], clicks: [], leads: [], sales: [] },
    ...{
      commissions: [],
      notices: [],
      journal: [],
      serial: 0,
      isRetired: false,
      isAbandoned: false,
    },
    tests: { click: [], lead: [], sale: [] },
  }
  fault(differences({ ...programView(program), api_token }, created.body.data))
  const groups = { method: "GET", path: `${PROGRAMS}/${id}/groups`, token: session }
  fault(differences(program.groups.map(groupView), (await ask(groups, 200)).body.data))

  while (program.partners.length < PARTNERS) await addTo(program, send, clock)
  for (const partner of program.partners.slice(0, ACCOUNTS)) {
    const invite = `${PROGRAMS}/${id}/partners/${partner.id}/invite`
    const invited = await ask({ method: "POST", path: invite, token: session }, 201)
    const { token } = invited.body.data
    const email = `account-${unique()}@example.com`
    const accept = { token, password: PASSWORD, email }
    const path = "/api/auth/accept-invitation"
    const accepted = await ask({ method: "POST", path, body: accept }, 200)
    partner.account = { email, session: accepted.body.data.token }
  }
  world.programs.push(program)
  return program
}

const isLost = ({ status }: Reply) => status === null || status >= 500

async function addTo(program: Program, send: Send, clock: Clock) {
  const operation = addPartner(program)
  const from = clock.read()
  const reply = await send(operation)
  setBounds(operation.at, from, clock.read())
  if (isLost(reply)) throw new LostAnswer()
  fault(differences(operation.status, reply.status, "status"))
  fault(differences(operation.expected, reply.body))
  operation.apply?.()
}

/** Signs in again those whose session has ended, because the clock has moved. */
export async function signIn({ owner, partners }: Program, send: Send) {
  for (const account of [owner, ...partners.flatMap(({ account }) => account ?? [])]) {
    const session = { method: "GET", path: "/api/auth/session", token: account.session }
    if ((await untilAnswered(send, session)).status === 200) continue
    const body = { email: account.email, password: PASSWORD }
    const request = { method: "POST", path: "/api/auth/sign-in", body }
    account.session = (await untilAnswered(send, request)).body.data.token
  }
}

async function untilAnswered(send: Send, request: Request): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await send(request)
    if (!isLost(reply) || tries === TRIES_MAX) return reply
    await Bun.sleep(PAUSE_MS)
  }
}

async function mustBe(send: Send, request: Request, status: number): Promise<Reply> {
  const reply = await send(request)
  if (reply.status === status) return reply
  if (isLost(reply)) throw new LostAnswer()
  throw new Error(
    `${request.method} ${request.path}: ${reply.status} ${JSON.stringify(reply.body)}`,
  )
}

function fault(found: string[]) {
  if (found.length > 0) throw new Error(`A new program differs:\n${found.join("\n")}`)
}
