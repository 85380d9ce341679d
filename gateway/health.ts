import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { Fault } from "../lib/fault"
import { showHealth as commissions } from "../services/commissions/contract"
import { showHealth as identity } from "../services/identity/contract"
import { showHealth as reporting } from "../services/reporting/contract"
import { showHealth as tracking } from "../services/tracking/contract"

const SERVICES = { tracking, commissions, reporting, identity }

/** What load balancers, people and start-up ask (contract 7). */
export const health = new Elysia()
  .get("/healthz", () => ({ status: "up" }))
  .get("/readyz", async () => {
    if ((await stateOf(tracking)) === "up") return { status: "up" }
    throw new Fault("unavailable", "Clicks cannot be taken now.")
  })
  .get("/status", async ({ set }) => {
    const states = await Promise.all(Object.values(SERVICES).map(stateOf))
    const services = Object.keys(SERVICES).map((name, i) => [name, states[i]])
    if (states.includes("down")) set.status = 503
    return { gateway: "up", ...Object.fromEntries(services) }
  })

const stateOf = (showHealth: typeof tracking): Promise<"up" | "down"> =>
  call(showHealth, {}).then(
    () => "up",
    () => "down",
  )
