import { describe, expect, test } from "bun:test"
import { inBatches } from "../../lib/batch"
import { Fault } from "../../lib/fault"
import { newContext, withContext } from "../../lib/request-context"

test("what is asked while a batch is under way is done together, and answered in its order", async () => {
  const { sizes, ask } = squares()
  const first = ask(1)
  await Bun.sleep(1)
  expect(await Promise.all([first, ask(2), ask(3), ask(4)])).toEqual([1, 4, 9, 16])
  expect(await ask(5)).toBe(25)
  expect(sizes).toEqual([1, 3, 1])
})

test("one that is refused takes no other along", async () => {
  const { ask } = squares(batch => {
    if (batch.includes(3)) throw new Error("three")
  })
  const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(ask))
  expect(settled.map(({ status }) => status === "fulfilled")).toEqual([
    true,
    true,
    false,
    true,
    true,
  ])
})

test("where nobody knows what came about, nothing is tried again", async () => {
  const { sizes, ask } = squares(() => {
    throw new Fault("unavailable", "Nobody knows.")
  })
  const settled = await Promise.allSettled([1, 2, 3].map(ask))
  expect(settled.every(({ status }) => status === "rejected")).toBe(true)
  expect(sizes).toEqual([3])
})

test("what waited until its caller had gone is not done", async () => {
  const { sizes, ask } = squares()
  const late = withContext({ ...newContext(), deadline: Date.now() - 1 }, () => ask(1))
  const settled = await Promise.allSettled([late, ask(2)])
  expect(settled).toMatchObject([
    { status: "rejected", reason: { kind: "unavailable" } },
    { status: "fulfilled", value: 4 },
  ])
  expect(sizes).toEqual([1])
})

test("one that waits for a lock takes no other along", async () => {
  const { ask } = squares(batch => {
    if (batch.includes(2)) throw Object.assign(new Error("a lock"), { code: "55P03" })
  })
  const settled = await Promise.allSettled([1, 2, 3].map(ask))
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
})

test("what loses its caller while others wait for a lock is not tried any more", async () => {
  const LOCK_MS = 20
  const { sizes, ask } = squares(() => {
    Bun.sleepSync(LOCK_MS)
    throw Object.assign(new Error("a lock"), { code: "55P03" })
  })
  const hurried = { ...newContext(), deadline: Date.now() + 5 * LOCK_MS }
  const numbers = Array.from({ length: 64 }, (_, i) => i)
  await Promise.allSettled(numbers.map(number => withContext(hurried, () => ask(number))))
  expect(sizes.length).toBeLessThan(10)
})

describe("After a batch that had company", () => {
  const LONG_MS = 60_000 // longer than a test may take

  test("the next one begins as soon as all who were there have come again", async () => {
    const { sizes, ask } = squares(undefined, { apart_ms: LONG_MS })
    await Promise.all([ask(1), ask(2), ask(3)])
    const again = [ask(1), ask(2)]
    await Bun.sleep(20)
    expect(sizes).toEqual([3])
    await Promise.all([...again, ask(3)])
    expect(sizes).toEqual([3, 3])
  })

  test("those who came while it was under way are awaited, too", async () => {
    const { sizes, ask } = squares(undefined, { apart_ms: LONG_MS })
    const first = [ask(1), ask(2)]
    await Bun.sleep(1)
    const others = [ask(3), ask(4)]
    await Promise.all(first)
    await Promise.all([...others, ask(1), ask(2)])
    expect(sizes).toEqual([2, 4])
  })

  test("the next one begins once there are enough for it", async () => {
    const { sizes, ask } = squares(undefined, { apart_ms: LONG_MS })
    const ENOUGH = 16
    await Promise.all(Array.from({ length: 50 }, (_, i) => ask(i)))
    await Promise.all(Array.from({ length: ENOUGH }, (_, i) => ask(i)))
    expect(sizes).toEqual([50, ENOUGH])
  })

  test("the next one begins at the latest so long after it", async () => {
    const { sizes, ask } = squares(undefined, { apart_ms: 50 })
    await Promise.all([ask(1), ask(2), ask(3)])
    expect(await ask(4)).toBe(16)
    expect(await ask(5)).toBe(25) // after one that came alone: at once
    expect(sizes).toEqual([3, 1, 1])
  })
})

/** Squares numbers in batches that take a while. Notes how many came together. */
function squares(check: (batch: number[]) => void = () => {}, options = {}) {
  const sizes: number[] = []
  const ask = inBatches(
    "numbers",
    async (numbers: number[]) => {
      sizes.push(numbers.length)
      await Bun.sleep(5)
      check(numbers)
      return numbers.map(number => number ** 2)
    },
    options,
  )
  return { sizes, ask }
}
