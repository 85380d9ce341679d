import { Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import { Fault } from "../../lib/fault"
import { OneOf } from "../../lib/fields"
import { showHealth as commissions } from "../../services/commissions/contract"
import { showHealth as identity } from "../../services/identity/contract"
import { showHealth as reporting } from "../../services/reporting/contract"
import { showHealth as tracking } from "../../services/tracking/contract"
import { anyone } from "../http/access"
import { limitAddress } from "../http/limit"
import { route } from "../http/route"

const NOT_READY = "Clicks cannot be recorded now."
const SERVICES = { tracking, commissions, reporting, identity }

const Up = Type.Object({ status: Type.Literal("up") })
const State = OneOf("up", "down")
const STATE_OF = {
  gateway: State,
  tracking: State,
  commissions: State,
  reporting: State,
  identity: State,
}
const States = Type.Object(STATE_OF)
const SomeDown = Type.Object(STATE_OF, { description: "A part is down." })

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
      if ((await stateOf(tracking)) === "up") return { status: "up" as const }
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
      answers: { 200: States, 503: SomeDown },
    },
    async ({ set }) => {
      const states = await Promise.all(Object.values(SERVICES).map(stateOf))
      const services = Object.keys(SERVICES).map((name, i) => [name, states[i]])
      if (states.includes("down")) {
        set.status = 503
        set.headers["retry-after"] = "1"
      }
      return { gateway: "up", ...Object.fromEntries(services) }
    },
  ),
]

const stateOf = (showHealth: typeof tracking): Promise<"up" | "down"> =>
  call(showHealth, {}).then(
    () => "up",
    () => "down",
  )
