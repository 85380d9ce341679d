import { afterAll, beforeEach } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../deploy/port"
import { type Launcher, startTributary, stopTributary } from "./tributary-process"

export type { Launcher, ProcessEntry } from "./tributary-process"

const HOOK_TIMEOUT_MS = 60_000 // each stop may take ten seconds, and they share the processors

const EVERY_FILE = ""

let launched: { file: string; launcher: Launcher }[] = []
const stopping: Promise<void>[] = []
const folders: string[] = []

/**
 * Starts Tributary as operators do, in a folder and on a port of its own. It is stopped when the test
 * file that started it stopping, so that later files have the machine to themselves.
 */
export const launch = (environment?: Record<string, string>, command?: string[]) =>
  launchFor(Bun.main, environment, command)

/** Starts a Tributary that keeps running for the test files that follow. */
export const launchForAll = (environment: Record<string, string>) =>
  launchFor(EVERY_FILE, environment)

async function launchFor(
  file: string,
  environment: Record<string, string> = {},
  command?: string[],
): Promise<Launcher> {
  const launcher = startTributary(
    {
      DATA_DIR: environment.DATA_DIR ?? (await newFolder()),
      PORT: String(await freePort()),
      ...environment,
    },
    command,
  )
  launched.push({ file, launcher })
  return launcher
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tributary "))
  folders.push(folder)
  return folder
}

beforeEach(() => stopOthers(EVERY_FILE, Bun.main))

/** Leaves no process or folder behind, however the tests ended. */
afterAll(async () => {
  stopOthers()
  await Promise.all(stopping)
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}, HOOK_TIMEOUT_MS)

/** Stops what other files started, in the background: only the end of the run waits for it. */
function stopOthers(...files: string[]) {
  const others = launched.filter(({ file }) => !files.includes(file))
  launched = launched.filter(({ file }) => files.includes(file))
  stopping.push(...others.map(({ launcher }) => stopTributary(launcher)))
}
