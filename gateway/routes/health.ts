import { Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import { Fault } from "../../lib/fault"
import { OneOf } from "../../lib/fields"
import { showHealth as commissions } from "../../services/commissions/contract"
import { showHealth as delivery } from "../../services/delivery/contract"
import { showHealth as identity } from "../../services/identity/contract"
import { showHealth as reporting } from "../../services/reporting/contract"
import { showHealth as tracking } from "../../services/tracking/contract"
import { anyone } from "../http/access"
import { limitAddress } from "../http/limit"
import { route } from "../http/route"

const NOT_READY = "Clicks cannot be recorded now."
const SERVICES = { tracking, commissions, reporting, identity, delivery }

const Up = Type.Object({ status: Type.Literal("up") })
const State = OneOf("up", "down")
const STATE_OF = {
  gateway: State,
  tracking: State,
  commissions: State,
  reporting: State,
  identity: State,
  delivery: State,
}
const FIELDS = {
  ...STATE_OF,
  problems: Type.Optional(
    Type.Array(Type.String(), {
      description: "Problems that need an operator, one sentence each.",
    }),
  ),
}
const AllUp = Type.Object(FIELDS)
const SomeDown = Type.Object(FIELDS, { description: "A part is down." })

/** Health checks for load balancers, people and the start-up (behaviour 9.5). */
export const health = [
  route(
    {
      id: "showLiveness",
      method: "GET",
      path: "/healthz",
      summary: "Show whether the gateway is alive",
      access: anyone,
      answers: { 200: Up },
    },
    () => ({ status: "up" as const }),
  ),
  route(
    {
      id: "showReadiness",
      method: "GET",
      path: "/readyz",
      summary: "Show whether clicks can be recorded",
      access: anyone,
      answers: { 200: Up, 503: NOT_READY },
    },
    async () => {
      if ((await healthOf("tracking")).state === "up") return { status: "up" as const }
      throw new Fault("unavailable", NOT_READY)
    },
  ),
  route(
    {
      id: "showPartStates",
      method: "GET",
      path: "/status",
      summary: "Show which parts are up",
      access: anyone,
      limit: request => limitAddress("status", request),
      answers: { 200: AllUp, 503: SomeDown },
    },
    async ({ set }) => {
      const services = await Promise.all(SERVICE_NAMES.map(healthOf))
      if (services.some(({ state }) => state === "down")) {
        set.status = 503
        set.headers["retry-after"] = "1"
      }
      const states = Object.fromEntries(services.map(({ name, state }) => [name, state])) as States
      const problems = services.flatMap(({ name, problems }) =>
        problems.map(problem => `${name}: ${problem}`),
      )
      return { gateway: "up" as const, ...states, ...(problems.length > 0 && { problems }) }
    },
  ),
]

type Service = keyof typeof SERVICES
const SERVICE_NAMES = Object.keys(SERVICES) as Service[]
type States = Record<Service, "up" | "down">

/** A part that does not reply is down. */
async function healthOf(name: Service) {
  const { problems = [], is_down = false } = await call(SERVICES[name], {}).catch(() => NO_REPLY)
  return { name, state: is_down ? ("down" as const) : ("up" as const), problems }
}

const NO_REPLY = { problems: [], is_down: true }
