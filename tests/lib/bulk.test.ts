import { expect, test } from "bun:test"
import { inBulk } from "../../lib/bulk"
import { Fault } from "../../lib/fault"
import { newContext, withContext } from "../../lib/request-context"

const refuse = (message: string) => Promise.reject(new Fault("conflict", message))

test("each row answers for itself, in the order of the request, a repeated id once", async () => {
  const done: number[] = []
  const step = async (id: number) => {
    await Bun.sleep(10 / id) // later ones are done sooner
    if (id === 2) await refuse("Two is refused.")
    done.push(id)
  }
  expect(await inBulk([1, 2, 3, 1], step)).toEqual([
    { id: 1, ok: true },
    { id: 2, ok: false, error: "Two is refused." },
    { id: 3, ok: true },
  ])
  expect(done.sort()).toEqual([1, 3])
})

test("a bug in one row is reported without detail, and leaves the others done", async () => {
  const step = async (id: number) => {
    if (id === 1) throw new Error("secret")
  }
  const [first, second] = await inBulk([1, 2], step)
  expect(first).toEqual({ id: 1, ok: false, error: "Something went wrong on our side." })
  expect(second).toEqual({ id: 2, ok: true })
})

test("what there is no time for is not begun, and says so", async () => {
  const begun: number[] = []
  const step = async (id: number) => {
    begun.push(id)
    await Bun.sleep(200)
  }
  const ids = Array.from({ length: 100 }, (_, i) => i + 1)
  const context = { ...newContext(), deadline: Date.now() + 1_100 }
  const rows = await withContext(context, () => inBulk(ids, step))

  expect(rows.filter(({ ok }) => ok).map(({ id }) => id)).toEqual(begun)
  expect(begun.length).toBeLessThan(ids.length)
  expect(rows.at(-1)).toEqual({ id: 100, ok: false, error: expect.stringContaining("again") })
})
