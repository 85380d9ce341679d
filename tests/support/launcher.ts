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
let folders: { file: string; path: string }[] = []
const stopping: Promise<void>[] = []
const unremoved: string[] = []

/**
 * Starts Tributary as operators do, in a folder and on a port of its own. It is stopped when the test
 * file that started it has ended, so that later files have the machine to themselves.
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
      DATA_DIR: environment.DATA_DIR ?? (await newFolder(file)),
      PORT: String(await freePort()),
      ...environment,
    },
    command,
  )
  launched.push({ file, launcher })
  return launcher
}

async function newFolder(file: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "tributary "))
  folders.push({ file, path })
  return path
}

beforeEach(() => stopOthers(EVERY_FILE, Bun.main))

/** Leaves no process or folder behind, however the tests ended. */
afterAll(async () => {
  stopOthers()
  await Promise.all(stopping)
  for (const path of unremoved) await remove(path)
}, HOOK_TIMEOUT_MS)

/** Stops what other files started, in the background: only the end of the run waits for it. */
function stopOthers(...files: string[]) {
  const isOther = ({ file }: { file: string }) => !files.includes(file)
  stopping.push(endAll(launched.filter(isOther), folders.filter(isOther)))
  launched = launched.filter(started => !isOther(started))
  folders = folders.filter(folder => !isOther(folder))
}

/** Removes folders at once, as all those of a run are too many for its end. */
async function endAll(others: typeof launched, left: typeof folders) {
  await Promise.all(others.map(({ launcher }) => stopTributary(launcher)))
  for (const { path } of left) {
    await remove(path).catch(() => unremoved.push(path)) // a killed server may still write
  }
}

const remove = (path: string) => rm(path, { recursive: true, force: true })
