import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newProgram, newProgramOf, type TestProgram } from "../../support/program"
import {
  createEndpoint,
  deleteEndpoint,
  endpointPath,
  listEndpoints,
  newEndpoint,
  postToEndpoint,
  showEndpoint,
  storedEndpoints,
  updateEndpoint,
} from "../../support/webhook-endpoint"
import { send } from "../../support/world"

let program: TestProgram
let foreign: TestProgram
beforeAll(async () => {
  program = await newProgram()
  foreign = await newProgram()
})

describe("a key that is limited to programs", () => {
  test("sees and makes only endpoints within its limit", async () => {
    const owner = await newProgram()
    const sibling = await newProgramOf(owner)
    const { program_id } = owner
    const limited = { program_scope: [program_id], scopes: ["webhook:manage"] }
    const caller = { session: (await newKey(owner, limited)).key }
    const wide = await newEndpoint(owner)
    const other = await newEndpoint(owner, { program_ids: [sibling.program_id] })
    const both = await newEndpoint(owner, { program_ids: [program_id, sibling.program_id] })
    const { id } = await newEndpoint(owner, { program_ids: [program_id] })

    expect((await listEndpoints(caller)).body).toMatchObject({
      data: [{ id }],
      meta: { pagination: { total: 1 } },
    })
    for (const hidden of [wide, other, both]) {
      expect((await showEndpoint(caller, hidden.id)).status).toBe(404)
      expect((await updateEndpoint(caller, hidden.id, { payload: "thin" })).status).toBe(404)
      expect((await postToEndpoint(caller, hidden.id, "rotate-secret")).status).toBe(404)
      expect((await deleteEndpoint(caller, hidden.id)).status).toBe(404)
    }
    for (const program_ids of [null, undefined, [sibling.program_id], [foreign.program_id]]) {
      expect((await createEndpoint(caller, { program_ids })).status).toBe(403)
    }
    for (const program_ids of [null, [sibling.program_id]]) {
      expect((await updateEndpoint(caller, id, { program_ids })).status).toBe(403)
    }
    expect((await createEndpoint(caller, { program_ids: [program_id] })).status).toBe(201)
    expect((await updateEndpoint(caller, id, { payload: "thin" })).body.data.payload).toBe("thin")
    expect((await postToEndpoint(caller, id, "rotate-secret")).status).toBe(200)
    expect((await deleteEndpoint(caller, id)).status).toBe(200)
  })
})

describe.each<[method: string, action: string]>([
  ["GET", ""],
  ["PUT", ""],
  ["DELETE", ""],
  ["POST", "enable"],
  ["POST", "disable"],
  ["POST", "rotate-secret"],
])("%s /api/advertiser/webhook-endpoints/:id/%s", (method, action) => {
  refusesBadCredentials(method, () => endpointPath(1, action))

  const call = (id: number | string, token: string) =>
    send(method, endpointPath(id, action), { token, body: method === "GET" ? undefined : {} })

  test.each(["abc", "0", "-1", "9007199254740991"])("404: the id is %s", async id => {
    expect((await call(id, program.session)).status).toBe(404)
  })

  test("404 for another workspace, 403 for who may not manage webhooks", async () => {
    const { id } = await newEndpoint(program)
    const before = await storedEndpoints(program)
    const missing = await call("9007199254740991", foreign.session)
    for (const token of [foreign.session, (await newKey(foreign)).key]) {
      const reply = await call(id, token)
      expect({ status: reply.status, body: reply.body }).toEqual({
        status: 404,
        body: missing.body, // the answer does not reveal that it exists
      })
    }
    const headers = { "x-workspace-id": `${program.workspace_id}` }
    const body = method === "GET" ? undefined : {}
    for (const role of ["analyst", "billing"]) {
      const token = await newMember(program, role)
      expect((await send(method, endpointPath(id, action), { token, headers, body })).status).toBe(
        403,
      )
    }
    const { key } = await newKey(program, { scopes: ["program:read", "program:update"] })
    expect((await call(id, key)).status).toBe(403)
    expect(await storedEndpoints(program)).toEqual(before)
    await deleteEndpoint(program, id)
  })
})
