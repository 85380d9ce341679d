import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { randomText } from "../../deploy/data-dir"
import { freePort } from "../../deploy/port"
import { runAudit } from "../support/commands"
import { startTributary, stopTributary } from "../support/tributary-process"
import type { Stage } from "./stage"

/** The SECRET_KEY of all systems of a run, since several may use the same database. */
export const SECRET_KEY = randomText()

export type Environment = Record<string, string>
export type System = Awaited<ReturnType<typeof startSystem>>

/**
 * Starts Tributary like `PROCESSES=separate npm start`, on existing servers and with the code in
 * `folder`. It stops with its stage.
 */
export async function startSystem(
  stage: Stage,
  name: string,
  environment: Environment,
  folder?: string,
) {
  const dataDir = join(stage.folder, name)
  mkdirSync(dataDir, { recursive: true })
  const launcher = startTributary(
    {
      DATA_DIR: dataDir,
      PORT: `${await freePort()}`,
      PROCESSES: "separate",
      SECRET_KEY,
      ...environment,
    },
    undefined,
    folder,
  )
  const stop = () => stopTributary(launcher)
  stage.onEnd(async () => {
    await stop()
    await Bun.write(join(stage.folder, `${name}.log`), launcher.output())
  })
  const url = await launcher.ready
  return { url, dataDir, environment, processes: launcher.processes, stop }
}

/** Runs `npm run audit` on a running system, and verifies that it finds no violations. */
export async function auditSystem(stage: Stage, { dataDir, environment }: System) {
  verifyAudit(stage, await runAudit(dataDir, { LOG_LEVEL: "error", ...environment }))
}

export function verifyAudit(stage: Stage, { code, output }: Awaited<ReturnType<typeof runAudit>>) {
  const lines = output.trim().split("\n")
  const holding = lines.filter(line => line.endsWith(" holds")).length
  const violations = lines.filter(line => !line.endsWith(" holds"))
  stage.verify(`audit: ${holding} invariants hold`, code === 0 ? [] : violations)
}
