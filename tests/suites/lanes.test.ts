import { expect, test } from "bun:test"
import { NONE, type Suite } from "./count"
import { inLanes } from "./lanes"

type Step = { print: string } | { wait: Promise<unknown> } | { do: () => void }

const suite = (title: string, ...steps: Step[]): Suite => ({
  title,
  async run(print) {
    for (const step of steps) {
      if ("print" in step) print(step.print)
      else if ("wait" in step) await step.wait
      else step.do()
    }
    return { ...NONE, passed: title.length }
  },
})

test("suites run at once, and what they print stands in their order", async () => {
  const secondEnds = Promise.withResolvers<void>()
  let written = ""
  const counts = await inLanes(
    [
      suite(
        "one",
        { print: "1a\n" },
        { wait: secondEnds.promise }, // so both run at once
        { do: () => expect(written).toBe("\n== one\n1a\n") }, // shown as it runs, the other held
        { print: "1b\n" },
      ),
      suite("second", { print: "2a\n" }, { print: "2b\n" }, { do: secondEnds.resolve }),
      suite("none"),
    ],
    2,
    text => {
      written += text
    },
  )
  expect(written).toBe("\n== one\n1a\n1b\n\n== second\n2a\n2b\n\n== none\n")
  expect(counts.map(({ passed }) => passed)).toEqual([3, 6, 4])
})

test("no more suites run at once than there are lanes", async () => {
  let [running, most] = [0, 0]
  const counted = Array.from({ length: 6 }, (_, i) =>
    suite(
      `${i}`,
      { do: () => (most = Math.max(most, ++running)) },
      { wait: Bun.sleep(5) },
      { do: () => running-- },
    ),
  )
  expect(await inLanes(counted, 2, () => {})).toHaveLength(6)
  expect(most).toBe(2)
})
