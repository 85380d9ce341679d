import { beforeAll, describe, expect, test } from "bun:test"
import { newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { RECEIVER } from "../../support/receiver"
import {
  deleteEndpoint,
  newEndpoint,
  postToEndpoint,
  showEndpoint,
  storedEndpoints,
  updateEndpoint,
} from "../../support/webhook-endpoint"
import { sql } from "../../support/world"

let program: TestProgram
let second: TestProgram
let foreign: TestProgram
beforeAll(async () => {
  program = await newProgram()
  second = await newProgramOf(program)
  foreign = await newProgram()
})

describe("PUT /api/advertiser/webhook-endpoints/:id", () => {
  test("changes only the given fields", async () => {
    const { id, secret, ...endpoint } = await newEndpoint(program, { description: "Shop" })
    const changed = await updateEndpoint(program, id, {
      events: ["lead.created"],
      status: "disabled",
      id: 1,
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { ...endpoint, id, events: ["lead.created"] } },
    })
    const program_ids = [second.program_id]
    expect((await updateEndpoint(program, id, { program_ids })).body.data.program_ids).toEqual(
      program_ids,
    )
    expect((await updateEndpoint(program, id, { payload: "thin" })).body.data.program_ids).toEqual(
      program_ids,
    )
    const url = "https://93.184.215.14:8443/new"
    const { body } = await updateEndpoint(program, id, {
      url,
      program_ids: null,
      description: null,
    })
    expect(body.data).toMatchObject({ url, program_ids: null, description: null, payload: "thin" })
    expect((await showEndpoint(program, id)).body).toEqual(body)
  })

  test.each<[string, () => object]>([
    ["not an object", () => []],
    ["a refused url", () => ({ url: "http://93.184.215.14/" })],
    ["a url that is null", () => ({ url: null })],
    ["no event", () => ({ events: [] })],
    ["an unknown type", () => ({ events: ["sale"] })],
    ["a foreign program", () => ({ program_ids: [foreign.program_id] })],
  ])("400: %s", async (_why, fields) => {
    const { id } = await newEndpoint(program)
    const before = await storedEndpoints(program)
    expect((await updateEndpoint(program, id, fields())).status).toBe(400)
    expect(await storedEndpoints(program)).toEqual(before)
    await deleteEndpoint(program, id)
  })
})

describe("POST …/:id/enable and /disable", () => {
  test("change the status, and can be repeated", async () => {
    const { id } = await newEndpoint(program)
    for (const [action, status] of [
      ["disable", "disabled"],
      ["disable", "disabled"],
      ["enable", "enabled"],
      ["enable", "enabled"],
    ] as const) {
      expect(await postToEndpoint(program, id, action)).toMatchObject({
        status: 200,
        body: { data: { id, status } },
      })
      expect((await showEndpoint(program, id)).body.data.status).toBe(status)
    }
    await deleteEndpoint(program, id)
  })
})

describe("DELETE /api/advertiser/webhook-endpoints/:id", () => {
  test("deletes the endpoint with its secrets", async () => {
    const { id, secret, ...endpoint } = await newEndpoint(program)
    await postToEndpoint(program, id, "rotate-secret")
    const { status, body } = await deleteEndpoint(program, id)
    expect({ status, url: body.data.url }).toEqual({ status: 200, url: RECEIVER })
    expect(Object.keys(body.data)).toEqual(Object.keys({ id, ...endpoint }))
    expect((await showEndpoint(program, id)).status).toBe(404)
    expect((await deleteEndpoint(program, id)).status).toBe(404)
    expect(await sql`select from delivery.webhook_secrets where endpoint_id = ${id}`).toHaveLength(
      0,
    )
  })
})
