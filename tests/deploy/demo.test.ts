import { expect, test } from "bun:test"
import { type Launcher, launch } from "../support/launcher"

const TIMEOUT_MS = 60_000

const ANSWERS = [
  { success: true },
  { success: true, commission_id: expect.any(Number) },
  { success: true, status: "reversed", deductionAmount: 15 },
]

test(
  "what a newcomer is told to paste works, twice, and after the next start",
  async () => {
    const first = await launch({ DEMO: "on" })
    expect(await paste(first)).toMatchObject(ANSWERS)
    await Bun.sleep(1_000) // an order is named after its second
    expect(await paste(first)).toMatchObject(ANSWERS)
    first.kill("SIGTERM")
    await first.ended

    const second = await launch({ DEMO: "on", DATA_DIR: first.data_dir })
    expect(await paste(second)).toMatchObject(ANSWERS)
  },
  TIMEOUT_MS,
)

/** Does in a POSIX shell what the launcher says, and returns the answers of its three last lines. */
async function paste({ ready, output }: Launcher) {
  await ready
  const commands = /^ {2}token=.*^ {2}post refund [^\n]+$/ms
  while (!commands.test(output())) await Bun.sleep(20)

  const [text] = commands.exec(output())!
  const { stdout } = Bun.spawnSync(["sh", "-c", text])
  return stdout
    .toString()
    .trim()
    .split("\n")
    .map(line => JSON.parse(line))
}
