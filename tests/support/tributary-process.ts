import { join } from "node:path"
import { BOUND } from "../../deploy/unprivileged"

const READY = /Tributary is ready: (\S+)/
const END_WITHIN_MS = 10_000

export type Launcher = ReturnType<typeof run>
export type Listed = { name: string; replica: number; pid: number }

/** Whatever a developer's own environment says, their servers are left alone. */
const USUAL = {
  PROCESSES: "one",
  REPLICAS: "1",
  DATABASE_URL: "",
  NATS_URL: "",
  REDIS_URL: "",
  PUBLIC_URL: "",
  CLICK_RETENTION_MONTHS: "",
  DEMO: "off",
  RATE_LIMITS: "off",
  LOG_LEVEL: "warn",
}

/** Starts Tributary as operators do, with the code in `folder`. Whoever starts one ends it. */
export function run(
  environment: Record<string, string> & { DATA_DIR: string },
  command = [process.execPath, "deploy/local.ts"],
  folder = join(import.meta.dir, "../.."),
) {
  const child = Bun.spawn([...BOUND, ...command], {
    cwd: folder,
    env: { ...process.env, ...USUAL, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ready = Promise.withResolvers<string>()
  ready.promise.catch(() => {}) // whoever waits for it hears of it
  let is_ready = false
  let output = ""

  async function listen(stream: ReadableStream<Uint8Array>) {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true })
      if (is_ready) continue // it may say much, under load
      const [, url] = READY.exec(output) ?? []
      if (url) ready.resolve(url)
      is_ready = url !== undefined
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

/** Ends it in order, or else at once. */
export async function end({ kill, ended }: Launcher) {
  kill("SIGTERM")
  const impatience = setTimeout(() => kill("SIGKILL"), END_WITHIN_MS)
  await ended
  clearTimeout(impatience)
}
