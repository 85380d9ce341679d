import { beforeAll, describe, expect, test } from "bun:test"
import { EVENT_TYPES } from "../../../services/delivery/events/contract"
import { refusesBadCredentials } from "../../support/credentials"
import { newMember } from "../../support/member"
import { newOwner, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { RECEIVER } from "../../support/receiver"
import {
  createEndpoint,
  deleteEndpoint,
  ENDPOINTS,
  endpointPath,
  listEndpoints,
  maskedSecret,
  newEndpoint,
  postToEndpoint,
  SECRET,
  showEndpoint,
  storedEndpoints,
} from "../../support/webhook-endpoint"
import { send } from "../../support/world"

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

let program: TestProgram
let second: TestProgram
let foreign: TestProgram
beforeAll(async () => {
  program = await newProgram()
  second = await newProgramOf(program)
  foreign = await newProgram()
})

describe("POST /api/advertiser/webhook-endpoints", () => {
  test("creates an endpoint and shows its secret once", async () => {
    const { status, body } = await createEndpoint(program, {
      events: ["sale.recorded", "refund.recorded"],
    })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          url: RECEIVER,
          events: ["sale.recorded", "refund.recorded"],
          program_ids: null,
          payload: "full",
          description: null,
          status: "enabled",
          secret: expect.stringMatching(SECRET),
          secret_masked: maskedSecret(body.data.secret),
          previous_secret_valid_until: null,
          created_at: TIME,
        },
      },
    })
    expect(Buffer.from(body.data.secret.slice(6), "base64")).toHaveLength(32)
    const { secret, ...shown } = body.data
    expect((await showEndpoint(program, shown.id)).body).toEqual({ data: shown })
    const listed = await listEndpoints(program, "?pageSize=100")
    expect(listed.body.data).toContainEqual(shown)
    expect(JSON.stringify(listed.body)).not.toContain(secret)
  })

  test.each<[string, () => object, () => object]>([
    [
      "programs of the workspace, each once",
      () => ({ program_ids: [second.program_id, program.program_id, second.program_id] }),
      () => ({ program_ids: [second.program_id, program.program_id] }),
    ],
    ["no program at all", () => ({ program_ids: [] }), () => ({ program_ids: [] })],
    ["each type", () => ({ events: Object.keys(EVENT_TYPES) }), () => ({})],
    [
      "a type twice",
      () => ({ events: ["lead.created", "lead.created"] }),
      () => ({ events: ["lead.created"] }),
    ],
    ["* beside a type", () => ({ events: ["lead.created", "*"] }), () => ({ events: ["*"] })],
    [
      "thin payloads and a description",
      () => ({ payload: "thin", description: "Our shop" }),
      () => ({ payload: "thin", description: "Our shop" }),
    ],
    [
      "the port 8443",
      () => ({ url: "https://93.184.215.14:8443/hooks?from=tributary" }),
      () => ({ url: "https://93.184.215.14:8443/hooks?from=tributary" }),
    ],
    [
      "unknown fields",
      () => ({ status: "disabled", secret: "whsec_mine", id: 7, workspace_id: 1 }),
      () => ({ status: "enabled", secret: expect.stringMatching(SECRET) }),
    ],
  ])("accepts %s", async (_what, fields, shown) => {
    const { status, body } = await createEndpoint(program, fields())
    expect({ status, data: body.data }).toMatchObject({ status: 201, data: shown() })
    await deleteEndpoint(program, body.data.id)
  })

  test.each<[string, () => object]>([
    ["no url", () => ({ url: undefined })],
    ["a url that is null", () => ({ url: null })],
    ["text that is no url", () => ({ url: "hooks" })],
    ["a url without encryption", () => ({ url: "http://93.184.215.14/hooks" })],
    ["a url of another scheme", () => ({ url: "ftp://93.184.215.14/hooks" })],
    ["a url with a user", () => ({ url: "https://ada:secret@93.184.215.14/hooks" })],
    ["a url with another port", () => ({ url: "https://93.184.215.14:444/hooks" })],
    ["a url of 2,049 characters", () => ({ url: `${RECEIVER}/`.padEnd(2_049, "x") })],
    ["a url of a private address", () => ({ url: "https://[::ffff:10.0.0.1]/hooks" })],
    ["a url of this machine", () => ({ url: "https://localhost./hooks" })],
    ["a url whose host does not resolve", () => ({ url: "https://hooks.invalid/" })],
    ["no events", () => ({ events: undefined })],
    ["an empty list of events", () => ({ events: [] })],
    ["events that are text", () => ({ events: "*" })],
    ["an unknown type", () => ({ events: ["sale.recorded", "click.recorded"] })],
    ["a pattern of types", () => ({ events: ["sale.*"] })],
    ["a program of another workspace", () => ({ program_ids: [foreign.program_id] })],
    [
      "a program of another workspace beside an own",
      () => ({ program_ids: [program.program_id, foreign.program_id] }),
    ],
    ["a program that does not exist", () => ({ program_ids: [Number.MAX_SAFE_INTEGER] })],
    ["program ids that are text", () => ({ program_ids: "all" })],
    ["a program id of zero", () => ({ program_ids: [0] })],
    ["an unknown payload", () => ({ payload: "fat" })],
    ["a payload that is null", () => ({ payload: null })],
    ["an empty description", () => ({ description: "" })],
    ["a description of 256 characters", () => ({ description: "d".repeat(256) })],
  ])("400: %s", async (_why, fields) => {
    const before = await storedEndpoints(program)
    expect(await createEndpoint(program, fields())).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
    expect(await storedEndpoints(program)).toEqual(before)
  })

  test("409: the 21st endpoint of a workspace, disabled ones included", async () => {
    const owner = await newOwner()
    for (let i = 0; i < 19; i++) await newEndpoint(owner)
    const races = Array.from({ length: 20 }, () => createEndpoint(owner, {}))
    const statuses = (await Promise.all(races)).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(409)])

    const { body } = await listEndpoints(owner, "?pageSize=100")
    expect(body.meta.pagination.total).toBe(20)
    const { id } = body.data[0]
    await postToEndpoint(owner, id, "disable")
    expect((await createEndpoint(owner, {})).status).toBe(409)
    await deleteEndpoint(owner, id)
    expect((await createEndpoint(owner, {})).status).toBe(201)
  })

  test("creates the endpoint in the workspace that X-Workspace-Id names", async () => {
    const token = await newMember(program, "admin")
    const headers = { "x-workspace-id": `${program.workspace_id}` }
    const body = { url: RECEIVER, events: ["*"] }
    const { id } = (await send("POST", ENDPOINTS, { token, headers, body })).body.data
    expect((await showEndpoint(program, id)).status).toBe(200)
    expect((await showEndpoint({ session: token }, id)).status).toBe(404) // in the member's own workspace
    expect((await send("GET", endpointPath(id), { token, headers })).status).toBe(200)
    await deleteEndpoint(program, id)
  })

  refusesBadCredentials("POST", () => ENDPOINTS)
})
