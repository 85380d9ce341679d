import { join } from "node:path"
import postgres from "postgres"
import { freePort } from "../../deploy/port"
import { controlClock } from "../support/clock"
import { runAudit } from "../support/commands"
import { startTributary, stopTributary } from "../support/tributary-process"
import { httpClient } from "./client"
import { movableClock } from "./clock"

const SEPARATE = { PROCESSES: "separate", REPLICAS: "2", LOG_LEVEL: "error" }

/** Starts a whole Tributary whose clock the run moves: in one process, or two of each part. */
export async function startSystem(folder: string, isSeparate: boolean) {
  const port = String(await freePort())
  const environment = { DATA_DIR: folder, PORT: port, ...(isSeparate && SEPARATE) }
  const launcher = startTributary(environment)
  const url = await launcher.ready
  const { url: database } = await Bun.file(join(folder, "postgres.json")).json()
  const sql = postgres(database, { max: 4, onnotice: () => {} })
  const { setAhead } = await controlClock(sql)
  const isUp = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
  const untilUp = async () => {
    while (!(await isUp())) await Bun.sleep(100)
  }
  await untilUp() // its sessions were terminated

  return {
    send: httpClient(url),
    clock: movableClock(setAhead),
    sql,
    untilUp,
    audit: () => runAudit(folder, { LOG_LEVEL: "error" }),
    async stop() {
      await sql.end({ timeout: 1 })
      await stopTributary(launcher)
    },
  }
}
