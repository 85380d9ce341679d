import { join } from "node:path"
import { DIES_WITH_PARENT } from "../../deploy/unprivileged"

const READY = /Tributary is ready: (\S+)/
const STOP_TIMEOUT_MS = 10_000

export type Launcher = ReturnType<typeof startTributary>
export type ProcessEntry = { name: string; replica: number; pid: number }

/** Overrides the developer's own environment, so that tests never touch their servers. */
const DEFAULTS = {
  PROCESSES: "one",
  REPLICAS: "1",
  DATABASE_URL: "",
  NATS_URL: "",
  REDIS_URL: "",
  PUBLIC_URL: "",
  SMTP_URL: "",
  MAIL_FROM: "",
  CLICK_RETENTION_MONTHS: "",
  DELIVERY_PRIVATE_NETWORKS: "127.66.0.0/16", // no test sends anything to the Internet
  DEMO: "off",
  RATE_LIMITS: "off",
  LOG_LEVEL: "warn",
}

/** Starts Tributary as operators do, with the code in `folder`. The caller must stop it. */
export function startTributary(
  environment: Record<string, string> & { DATA_DIR: string },
  command = [process.execPath, "deploy/local.ts"],
  folder = join(import.meta.dir, "../.."),
) {
  const child = Bun.spawn([...DIES_WITH_PARENT, ...command], {
    cwd: folder,
    env: { ...process.env, ...DEFAULTS, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ready = Promise.withResolvers<string>()
  ready.promise.catch(() => {}) // a rejection is reported to those who await `ready`
  let isReady = false
  let output = ""

  async function collect(stream: ReadableStream<Uint8Array>) {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true })
      if (isReady) continue // under load it may print a lot
      const [, url] = READY.exec(output) ?? []
      if (url) ready.resolve(url)
      isReady = url !== undefined
    }
  }
  const read = Promise.all([collect(child.stdout), collect(child.stderr)])
  read.then(() => ready.reject(new Error(`The launcher exited: ${output}`)))

  return {
    pid: child.pid,
    data_dir: environment.DATA_DIR,
    ready: ready.promise,
    output: () => output,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** The exit code. */
    ended: child.exited,

    processes: (): Promise<ProcessEntry[]> =>
      Bun.file(join(environment.DATA_DIR, "processes.json")).json(),
  }
}

/** Stops it with SIGTERM, or with SIGKILL if that takes too long. */
export async function stopTributary({ kill, ended }: Launcher) {
  kill("SIGTERM")
  const timeout = setTimeout(() => kill("SIGKILL"), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timeout)
}
