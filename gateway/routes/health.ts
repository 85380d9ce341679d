import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../lib/bus/bus"
import { Fault } from "../../lib/fault"
import { OneOf } from "../../lib/fields"
import { showHealth as commissions } from "../../services/commissions/contract"
import { showHealth as identity } from "../../services/identity/contract"
import { showHealth as reporting } from "../../services/reporting/contract"
import { showHealth as tracking } from "../../services/tracking/contract"
import { ANYBODY, reads } from "../openapi/description"

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

/** What load balancers, people and start-up ask (contract 7). */
export const health = new Elysia()
  .get(
    "/healthz",
    () => ({ status: "up" }),
    reads({
      id: "showLiveness",
      summary: "Whether the gateway lives",
      by: ANYBODY,
      answers: { 200: Up },
    }),
  )
  .get(
    "/readyz",
    async () => {
      if ((await stateOf(tracking)) === "up") return { status: "up" }
      throw new Fault("unavailable", "Clicks cannot be taken now.")
    },
    reads({
      id: "showReadiness",
      summary: "Whether clicks can be taken",
      by: ANYBODY,
      answers: { 200: Up, 503: "Clicks cannot be taken now." },
    }),
  )
  .get(
    "/status",
    async ({ set }) => {
      const states = await Promise.all(Object.values(SERVICES).map(stateOf))
      const services = Object.keys(SERVICES).map((name, i) => [name, states[i]])
      if (states.includes("down")) {
        set.status = 503
        set.headers["retry-after"] = "1"
      }
      return { gateway: "up", ...Object.fromEntries(services) }
    },
    reads({
      id: "showPartStates",
      summary: "Show which parts are up",
      by: ANYBODY,
      answers: { 200: States, 503: SomeDown },
    }),
  )

const stateOf = (showHealth: typeof tracking): Promise<"up" | "down"> =>
  call(showHealth, {}).then(
    () => "up",
    () => "down",
  )
