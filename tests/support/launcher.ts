import { afterAll, beforeEach } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../deploy/port"
import { end, type Launcher, run } from "./running"

export type { Launcher, Listed } from "./running"

const HOOK_TIMEOUT_MS = 20_000 // a stop may take ten seconds

const EVERY_FILE = ""

let launched: { file: string; launcher: Launcher }[] = []
const ends: Promise<void>[] = []
const folders: string[] = []

/**
 * Starts Tributary as operators do, in a folder and on a port that are nobody else's. It ends with
 * the file that starts it, so that the next ones have the machine to themselves.
 */
export const launch = (environment?: Record<string, string>, command?: string[]) =>
  launchFor(Bun.main, environment, command)

/** As `launch`, for the files that follow, too. */
export const launchForAll = (environment: Record<string, string>) =>
  launchFor(EVERY_FILE, environment)

async function launchFor(
  file: string,
  environment: Record<string, string> = {},
  command?: string[],
): Promise<Launcher> {
  const launcher = run(
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

beforeEach(() => endOthers(EVERY_FILE, Bun.main))

/** Nothing of a test stays behind, however it ended. */
afterAll(async () => {
  endOthers()
  await Promise.all(ends)
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}, HOOK_TIMEOUT_MS)

/** Ends what other files started; nobody waits for it but the end of the run. */
function endOthers(...files: string[]) {
  const others = launched.filter(({ file }) => !files.includes(file))
  launched = launched.filter(({ file }) => files.includes(file))
  ends.push(...others.map(({ launcher }) => end(launcher)))
}
