import { describe, expect, test } from "bun:test"
import { inBatches } from "../../lib/batch"
import { Fault } from "../../lib/fault"
import { newContext, withContext } from "../../lib/request-context"

test("inputs that arrive during a batch are processed together, with outputs in the same order", async () => {
  const { sizes, square } = squarer()
  const first = square(1)
  await Bun.sleep(1)
  expect(await Promise.all([first, square(2), square(3), square(4)])).toEqual([1, 4, 9, 16])
  expect(await square(5)).toBe(25)
  expect(sizes).toEqual([1, 3, 1])
})

test("a refused input does not fail the others", async () => {
  const { square } = squarer(batch => {
    if (batch.includes(3)) throw new Error("three")
  })
  const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(square))
  expect(settled.map(({ status }) => status === "fulfilled")).toEqual([
    true,
    true,
    false,
    true,
    true,
  ])
})

test("a batch with an unknown outcome is not retried", async () => {
  const { sizes, square } = squarer(() => {
    throw new Fault("unavailable", "Unknown.")
  })
  const settled = await Promise.allSettled([1, 2, 3].map(square))
  expect(settled.every(({ status }) => status === "rejected")).toBe(true)
  expect(sizes).toEqual([3])
})

test("an input past its deadline is rejected", async () => {
  const { sizes, square } = squarer()
  const expired = withContext({ ...newContext(), deadline: Date.now() - 1 }, () => square(1))
  const settled = await Promise.allSettled([expired, square(2)])
  expect(settled).toMatchObject([
    { status: "rejected", reason: { kind: "unavailable" } },
    { status: "fulfilled", value: 4 },
  ])
  expect(sizes).toEqual([1])
})

test("an input that waits for a lock does not fail the others", async () => {
  const { square } = squarer(batch => {
    if (batch.includes(2)) throw Object.assign(new Error("a lock"), { code: "55P03" })
  })
  const settled = await Promise.allSettled([1, 2, 3].map(square))
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
})

test("inputs that expire while others wait for a lock are not retried", async () => {
  const LOCK_MS = 20
  const { sizes, square } = squarer(() => {
    Bun.sleepSync(LOCK_MS)
    throw Object.assign(new Error("a lock"), { code: "55P03" })
  })
  const deadlineContext = { ...newContext(), deadline: Date.now() + 5 * LOCK_MS }
  const numbers = Array.from({ length: 64 }, (_, i) => i)
  await Promise.allSettled(
    numbers.map(number => withContext(deadlineContext, () => square(number))),
  )
  expect(sizes.length).toBeLessThan(10)
})

describe("After a batch of several inputs", () => {
  const LONG_MS = 60_000 // longer than a test may take

  test("the next begins as soon as as many inputs have arrived again", async () => {
    const { sizes, square } = squarer(undefined, { spacingMs: LONG_MS })
    await Promise.all([square(1), square(2), square(3)])
    const repeated = [square(1), square(2)]
    await Bun.sleep(20)
    expect(sizes).toEqual([3])
    await Promise.all([...repeated, square(3)])
    expect(sizes).toEqual([3, 3])
  })

  test("inputs that arrived during it count as well", async () => {
    const { sizes, square } = squarer(undefined, { spacingMs: LONG_MS })
    const first = [square(1), square(2)]
    await Bun.sleep(1)
    const later = [square(3), square(4)]
    await Promise.all(first)
    await Promise.all([...later, square(1), square(2)])
    expect(sizes).toEqual([2, 4])
  })

  test("the next begins once enough inputs wait", async () => {
    const { sizes, square } = squarer(undefined, { spacingMs: LONG_MS })
    const FULL_ENOUGH = 16
    await Promise.all(Array.from({ length: 50 }, (_, i) => square(i)))
    await Promise.all(Array.from({ length: FULL_ENOUGH }, (_, i) => square(i)))
    expect(sizes).toEqual([50, FULL_ENOUGH])
  })

  test("the next begins at the latest after the spacing", async () => {
    const { sizes, square } = squarer(undefined, { spacingMs: 50 })
    await Promise.all([square(1), square(2), square(3)])
    expect(await square(4)).toBe(16)
    expect(await square(5)).toBe(25) // after a single input: at once
    expect(sizes).toEqual([3, 1, 1])
  })
})

/** Squares numbers in batches that take a while, and records the size of each batch. */
function squarer(check: (batch: number[]) => void = () => {}, options = {}) {
  const sizes: number[] = []
  const square = inBatches(
    "numbers",
    async (numbers: number[]) => {
      sizes.push(numbers.length)
      await Bun.sleep(5)
      check(numbers)
      return numbers.map(number => number ** 2)
    },
    options,
  )
  return { sizes, square }
}
