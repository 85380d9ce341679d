import { appendFileSync, openSync } from "node:fs"
import { join } from "node:path"
import { DIES_WITH_PARENT, unprivileged } from "../../deploy/unprivileged"
import type { Stage } from "./stage"

const STOP_MS = 8_000

/** Starts a server that ends with its stage, or with us. What it says goes to `<name>.log` there. */
export function startServer(stage: Stage, name: string, command: string[]) {
  const log = openSync(join(stage.folder, `${name}.log`), "a")
  const child = Bun.spawn([...DIES_WITH_PARENT, ...command], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", log, log],
    detached: true,
  })
  const end = async (signal: NodeJS.Signals = "SIGINT") => {
    child.kill(signal)
    const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_MS)
    await child.exited
    clearTimeout(impatience)
  }
  stage.after(() => end())
  return { end }
}

/** Runs a program to its end. Throws what it said if it failed. */
export async function runProgram(
  stage: Stage,
  command: string[],
  env: Record<string, string> = {},
) {
  const child = Bun.spawn(command, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const said = await Promise.all([child.stdout, child.stderr].map(s => new Response(s).text()))
  appendFileSync(join(stage.folder, "programs.log"), `${command.join(" ")}\n${said.join("")}\n`)
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed: ${said.join("").trim()}`)
}

/** What some servers refuse to run without: a user who is not root. */
export const unprivilegedWrapper = (folder: string) =>
  unprivileged([["test", "-w", folder]]).wrapper

/** Waits until something is so. */
export async function waitUntil(what: string, isSo: () => Promise<boolean>, patience_ms = 60_000) {
  const deadline = Date.now() + patience_ms
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`After ${patience_ms / 1_000} s still not: ${what}.`)
    await Bun.sleep(50)
  }
}
