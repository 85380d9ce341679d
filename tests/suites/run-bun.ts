import { join } from "node:path"
import type { Print } from "./count"

const LEFT_OPEN_MS = 5_000 // by a process that a test left behind

type Options = { print: Print; environment?: Record<string, string>; timeout?: number }

/** Runs bun in the root folder. Prints what it writes to either stream. Returns its exit code. */
export async function runBun(
  args: string[],
  { print, environment = {}, timeout }: Options,
): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: join(import.meta.dir, "../.."),
    env: { ...process.env, ...COLORS, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout,
  })
  const printed = Promise.all([child.stdout, child.stderr].map(stream => printAll(stream, print)))
  const code = await child.exited
  await Promise.race([printed, Bun.sleep(LEFT_OPEN_MS)])
  return code
}

/** Programs that write to a pipe cannot know that a person reads it. */
const COLORS: Record<string, string> = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}

async function printAll(stream: ReadableStream<Uint8Array>, print: Print) {
  const decoder = new TextDecoder()
  for await (const chunk of stream) print(decoder.decode(chunk, { stream: true }))
}
