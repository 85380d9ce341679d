import { beforeEach, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { newOwner } from "../../support/program"
import { database_url, send } from "../../support/world"

const SCRIPT = join(import.meta.dir, "../../support/number-events.ts")

type Request = { program_id?: number; after?: number; event_ids: string[] }
type Numbers = { event_id: string; sequence: number }[]

let program: { program_id: number; workspace_id: number }
let id: (name: string) => string
beforeEach(async () => {
  const { session: token, workspace_id } = await newOwner()
  const body = { name: "Without partners, which are events" }
  const created = await send("POST", "/api/advertiser/affiliate-programs", { token, body })
  program = { program_id: created.body.data.id, workspace_id }
  id = name => `evt_${program.program_id}_${name}`
})

/** Sends requests at the same time. */
async function race(requests: Request[]): Promise<any[]> {
  const { program_id } = program
  const input = requests.map(request => ({ program_id, after: 0, ...request }))
  const child = Bun.spawn([process.execPath, SCRIPT], {
    env: { ...process.env, DATABASE_URL: database_url, IDENTITY_DATABASE_URL: database_url },
    stdin: Buffer.from(JSON.stringify(input)),
    stderr: "inherit",
  })
  return JSON.parse(await new Response(child.stdout).text())
}
const number = async (request: Request) => (await race([request]))[0]
const sequences = ({ numbers }: { numbers: Numbers }) => numbers.map(({ sequence }) => sequence)

describe("the numbers of a program's events", () => {
  test("begin at 1, in the order given, and name the workspace", async () => {
    const event_ids = ["c", "a", "b"].map(id)
    expect(await number({ event_ids })).toEqual({
      workspace_id: program.workspace_id,
      wants_sale_notices: false,
      numbers: event_ids.map((event_id, i) => ({ event_id, sequence: i + 1 })),
    })
  })

  test("stay the same when they are requested again", async () => {
    await number({ event_ids: [id("a"), id("b")] })
    const again = await number({ event_ids: [id("new"), id("b"), id("b"), id("a")] })
    expect(again.numbers).toEqual([
      { event_id: id("a"), sequence: 1 },
      { event_id: id("b"), sequence: 2 },
      { event_id: id("new"), sequence: 3 },
    ])
  })

  test("have no gap and no duplicate when 20 race, also for the same events", async () => {
    const requests = Array.from({ length: 20 }, (_, i) => ({
      event_ids: [id(`own ${i}`), id("shared"), id(`pair ${i % 10}`)],
    }))
    const replies = await race(requests)
    const all = new Map<string, number>()
    for (const { event_id, sequence } of replies.flatMap(({ numbers }) => numbers as Numbers)) {
      expect(all.get(event_id) ?? sequence).toBe(sequence)
      all.set(event_id, sequence)
    }
    const expected = Array.from({ length: 31 }, (_, i) => i + 1)
    expect([...all.values()].sort((a, b) => a - b)).toEqual(expected)
  })

  test("begin above `after`, and never go back", async () => {
    await number({ event_ids: [id("a")] })
    expect(sequences(await number({ after: 50, event_ids: [id("b")] }))).toEqual([51])
    expect(sequences(await number({ after: 7, event_ids: [id("c")] }))).toEqual([52])
    expect(sequences(await number({ after: 60, event_ids: [id("a")] }))).toEqual([1])
  })

  test("are refused for a program that does not exist", async () => {
    const program_id = Number.MAX_SAFE_INTEGER
    expect(await number({ program_id, event_ids: [id("a")] })).toEqual({ kind: "missing" })
  })
})
