import { afterAll } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../deploy/port"
import { BOUND } from "../deploy/unprivileged"

const HOOK_TIMEOUT_MS = 20_000 // a stop may take ten seconds
const READY = /Tributary is ready: (\S+)/
const END_WITHIN_MS = 10_000

export type Launcher = ReturnType<typeof run>
export type Listed = { name: string; replica: number; pid: number }
const launchers: Launcher[] = []
const folders: string[] = []

/** Whatever a developer's own environment says, their servers are left alone. */
const USUAL = {
  PROCESSES: "one",
  REPLICAS: "1",
  DATABASE_URL: "",
  NATS_URL: "",
  REDIS_URL: "",
  PUBLIC_URL: "",
  DEMO: "off",
  RATE_LIMITS: "off",
  LOG_LEVEL: "warn",
}

/** Starts Tributary as operators do, in a folder and on a port that are nobody else's. */
export async function launch(
  environment: Record<string, string> = {},
  command = [process.execPath, "deploy/local.ts"],
): Promise<Launcher> {
  const launcher = run(command, {
    DATA_DIR: environment.DATA_DIR ?? (await newFolder()),
    PORT: String(await freePort()),
    ...USUAL,
    ...environment,
  })
  launchers.push(launcher)
  return launcher
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tributary "))
  folders.push(folder)
  return folder
}

function run(command: string[], environment: Record<string, string> & { DATA_DIR: string }) {
  const child = Bun.spawn([...BOUND, ...command], {
    cwd: join(import.meta.dir, ".."),
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ready = Promise.withResolvers<string>()
  ready.promise.catch(() => {}) // whoever waits for it hears of it
  let output = ""

  async function listen(stream: ReadableStream<Uint8Array>) {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true })
      const [, url] = READY.exec(output) ?? []
      if (url) ready.resolve(url)
    }
  }
  const heard = Promise.all([listen(child.stdout), listen(child.stderr)])
  heard.then(() => ready.reject(new Error(`The launcher ended: ${output}`)))

  return {
    pid: child.pid,
    data_dir: environment.DATA_DIR,
    ready: ready.promise,
    output: () => output,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** The exit code, once everything it said has been heard. */
    ended: child.exited,

    processes: (): Promise<Listed[]> =>
      Bun.file(join(environment.DATA_DIR, "processes.json")).json(),
  }
}

/** Nothing of a test stays behind, however it ended. */
afterAll(async () => {
  await Promise.all(launchers.map(end))
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}, HOOK_TIMEOUT_MS)

async function end({ kill, ended }: Launcher) {
  kill("SIGTERM")
  const impatience = setTimeout(() => kill("SIGKILL"), END_WITHIN_MS)
  await ended
  clearTimeout(impatience)
}
