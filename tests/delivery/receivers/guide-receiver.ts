import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DIES_WITH_PARENT } from "../../../deploy/unprivileged"
import { eventually } from "../../support/webhook-receiver"

const FOLDER = join(import.meta.dir, "../../../docs/receivers")

/** The receivers of the guide, the program that runs each, and its arguments. */
export const RECEIVERS: [name: string, program: string, args: (port: number) => string[]][] = [
  ["Node", "node", () => ["receiver.mjs"]],
  ["Bun", process.execPath, () => ["receiver.ts"]],
  ["PHP", "php", port => ["-S", `0.0.0.0:${port}`, "receiver.php"]],
  ["Python", "python3", () => ["receiver.py"]],
]

/** Starts a receiver at a port of every address of this machine. It can be restarted with another secret. */
export async function startGuideReceiver(command: string[], port: number, secret: string) {
  const inbox = await mkdtemp(join(tmpdir(), "tributary-inbox-"))
  const url = `http://127.66.0.1:${port}/webhooks`
  let child = await start(secret)

  async function start(secret: string) {
    const started = Bun.spawn([...DIES_WITH_PARENT, ...command], {
      cwd: FOLDER,
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: `${port}`, INBOX: inbox },
      stdio: ["ignore", "ignore", "ignore"],
    })
    await eventually(() =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    )
    return started
  }

  async function end() {
    child.kill("SIGKILL")
    await child.exited
  }

  return {
    url,
    /** What it has stored, by id. */
    async stored(): Promise<Record<string, string>> {
      const files = (await readdir(inbox)).toSorted()
      const bodies = files.map(file => Bun.file(join(inbox, file)).text())
      return Object.fromEntries(
        (await Promise.all(bodies)).map((body, i) => [files[i]!.replace(".json", ""), body]),
      )
    },
    /** Sends it a request. Returns the status of its answer. */
    post: async (headers: Record<string, string>, body: string) =>
      (await fetch(url, { method: "POST", headers, body })).status,
    async restart(secret: string) {
      await end()
      child = await start(secret)
    },
    async stop() {
      await end()
      await rm(inbox, { recursive: true })
    },
  }
}

export type GuideReceiver = Awaited<ReturnType<typeof startGuideReceiver>>
