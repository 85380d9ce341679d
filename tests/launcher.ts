import { afterAll } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../deploy/port"
import { end, type Launcher, run } from "./running"

export type { Launcher, Listed } from "./running"

const HOOK_TIMEOUT_MS = 20_000 // a stop may take ten seconds

const launchers: Launcher[] = []
const folders: string[] = []

/** Starts Tributary as operators do, in a folder and on a port that are nobody else's. */
export async function launch(
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
  launchers.push(launcher)
  return launcher
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tributary "))
  folders.push(folder)
  return folder
}

/** Nothing of a test stays behind, however it ended. */
afterAll(async () => {
  await Promise.all(launchers.map(end))
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}, HOOK_TIMEOUT_MS)
