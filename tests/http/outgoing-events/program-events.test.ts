import { beforeAll, describe, expect, test } from "bun:test"
import { eventsWrittenBy, outgoingEvents } from "../../support/outgoing-events"
import { newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const call = (method: string, path = "", body?: unknown) =>
  send(method, program.path + path, { token: program.session, body })
const shown = async () => (await call("GET")).body.data
const writtenBy = (change: () => Promise<unknown>) =>
  eventsWrittenBy("identity", program.program_id, change)

describe("a program's outgoing events", () => {
  test("none of its creation", async () => {
    expect(await outgoingEvents("identity", program.program_id)).toEqual([])
  })

  test("a change of its settings is one, with what was before", async () => {
    const before = await shown()
    const events = await writtenBy(() => call("PUT", "", { cookie_window_days: 7 }))
    const previous = {
      cookie_window_days: before.cookie_window_days,
      updated_at: before.updated_at,
    }
    expect(events).toEqual([
      { type: "program.updated", partner_id: null, data: await shown(), previous },
    ])
  })

  test("the same change again is none, and neither is a refused one", async () => {
    const again = () => call("PUT", "", { cookie_window_days: 7 })
    expect(await writtenBy(again)).toEqual([])
    const refused = async () => expect((await call("PUT", "", { name: "" })).status).toBe(400)
    expect(await writtenBy(refused)).toEqual([])
  })

  test("a new API token is one", async () => {
    const before = await shown()
    const events = await writtenBy(() => call("POST", "/regenerate-api-token"))
    expect(events).toMatchObject([
      {
        type: "program.updated",
        data: await shown(),
        previous: { api_token_masked: before.api_token_masked },
      },
    ])
  })

  test("going live is one, only the first time", async () => {
    const goLive = () => call("POST", "/go-live")
    expect(await writtenBy(goLive)).toMatchObject([
      { type: "program.updated", data: await shown(), previous: { published_at: null } },
    ])
    expect(await writtenBy(goLive)).toEqual([])
  })

  test("archiving is one of its own type", async () => {
    const events = await writtenBy(() => call("DELETE"))
    expect(events).toMatchObject([
      { type: "program.archived", data: await shown(), previous: { status: "active" } },
    ])
  })
})
