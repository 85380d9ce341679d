import { expect, test } from "bun:test"
import { type Launcher, launch } from "../support/launcher"

const TIMEOUT_MS = 60_000

const REPLIES = [
  { success: true },
  { success: true, commission_id: expect.any(Number) },
  { success: true, status: "reversed", deductionAmount: 15 },
]

test(
  "the commands of the demo work, twice, and after a restart",
  async () => {
    const first = await launch({ DEMO: "on" })
    expect(await paste(first)).toMatchObject(REPLIES)
    await Bun.sleep(1_000) // order ids contain the time in seconds
    expect(await paste(first)).toMatchObject(REPLIES)
    first.kill("SIGTERM")
    await first.ended

    const second = await launch({ DEMO: "on", DATA_DIR: first.data_dir })
    expect(await paste(second)).toMatchObject(REPLIES)
  },
  TIMEOUT_MS,
)

/** Runs the printed commands in a POSIX shell. Returns the replies of the last three. */
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
