import { appendFileSync, openSync } from "node:fs"
import { join } from "node:path"
import { DIES_WITH_PARENT, unprivilegedLaunch } from "../../deploy/unprivileged"
import type { Stage } from "./stage"

const STOP_MS = 8_000

/** Starts a server that stops with its stage or this process. Its output goes to `<name>.log`. */
export function startServer(stage: Stage, name: string, command: string[]) {
  const log = openSync(join(stage.folder, `${name}.log`), "a")
  const child = Bun.spawn([...DIES_WITH_PARENT, ...command], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", log, log],
    detached: true,
  })
  const end = async (signal: NodeJS.Signals = "SIGINT") => {
    child.kill(signal)
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS)
    await child.exited
    clearTimeout(timer)
  }
  stage.onEnd(() => end())
  return { end }
}

/** Runs a program to its end. Throws its output if it fails. */
export async function runProgram(
  stage: Stage,
  command: string[],
  env: Record<string, string> = {},
) {
  const child = Bun.spawn(command, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output = await Promise.all([child.stdout, child.stderr].map(s => new Response(s).text()))
  appendFileSync(join(stage.folder, "programs.log"), `${command.join(" ")}\n${output.join("")}\n`)
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed: ${output.join("").trim()}`)
}

/** Returns the command prefix for servers that refuse to run as root. */
export const unprivilegedWrapper = (folder: string) =>
  unprivilegedLaunch([["test", "-w", folder]]).wrapper

/** Waits until a condition is true; until then, its errors count as false. */
export async function waitUntil(what: string, isTrue: () => Promise<boolean>, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`Timed out after ${timeoutMs / 1_000} s: ${what}.`)
    await Bun.sleep(50)
  }
}
