import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../deploy/port"
import { runAudit } from "../support/commands"
import { startTributary, stopTributary } from "../support/tributary-process"
import type { Stage } from "./stage"

export type Environment = Record<string, string>
export type System = Awaited<ReturnType<typeof startSystem>>

/**
 * Tributary as `PROCESSES=separate npm start` runs it, on servers that are there already; `folder`
 * is that of its code. It ends with its stage.
 */
export async function startSystem(
  stage: Stage,
  name: string,
  environment: Environment,
  folder?: string,
) {
  const data_dir = join(stage.folder, name)
  mkdirSync(data_dir, { recursive: true })
  const launcher = startTributary(
    { DATA_DIR: data_dir, PORT: `${await freePort()}`, PROCESSES: "separate", ...environment },
    undefined,
    folder,
  )
  const stop = () => stopTributary(launcher)
  stage.after(async () => {
    await stop()
    await Bun.write(join(stage.folder, `${name}.log`), launcher.output())
  })
  const url = await launcher.ready
  return { url, data_dir, environment, processes: launcher.processes, stop }
}

/** `npm run audit`, as of a system that runs; counted as one thing. */
export async function auditSystem(stage: Stage, { data_dir, environment }: System) {
  verifyAudit(stage, await runAudit(data_dir, { LOG_LEVEL: "error", ...environment }))
}

export function verifyAudit(stage: Stage, { code, output }: Awaited<ReturnType<typeof runAudit>>) {
  const lines = output.trim().split("\n")
  const held = lines.filter(line => line.endsWith(" holds")).length
  const broken = lines.filter(line => !line.endsWith(" holds"))
  stage.verify(`audit: ${held} promises hold`, code === 0 ? [] : broken)
}
