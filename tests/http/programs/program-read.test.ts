import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { newMember, newMemberOnly } from "../../support/member"
import { newOwner, newProgramOf, type Owner, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

const PROGRAMS = "/api/advertiser/affiliate-programs"
const get = (path: string, token: string, headers = {}) => send("GET", path, { token, headers })

describe("GET /api/advertiser/affiliate-programs", () => {
  let owner: Owner
  const ids: number[] = []
  beforeAll(async () => {
    owner = await newOwner()
    for (let i = 0; i < 3; i++) ids.push((await newProgramOf(owner)).program_id)
    await send("DELETE", `${PROGRAMS}/${ids[1]}`, { token: owner.session })
  })
  const idsOf = (answer: { body: { data: { id: number }[] } }) =>
    answer.body.data.map(({ id }) => id)

  test("lists the workspace's programs by id, archived ones too, without their tokens", async () => {
    const { status, body } = await get(PROGRAMS, owner.session)
    expect(status).toBe(200)
    expect(idsOf({ body })).toEqual(ids)
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual([
      "active",
      "archived",
      "active",
    ])
    expect(body.meta).toEqual({ pagination: { page: 1, pageSize: 10, pageCount: 1, total: 3 } })
    expect(body.data[0]).toEqual((await get(`${PROGRAMS}/${ids[0]}`, owner.session)).body.data)
    expect(body.data[0]).not.toHaveProperty("api_token")
  })

  test("pages through them", async () => {
    const first = await get(`${PROGRAMS}?pageSize=2`, owner.session)
    const second = await get(`${PROGRAMS}?pageSize=2&page=2`, owner.session)
    const third = await get(`${PROGRAMS}?pageSize=2&page=3`, owner.session)
    expect([first, second, third].map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2), []])
    const pagination = { page: 3, pageSize: 2, pageCount: 2, total: 3 }
    expect(third.body.meta).toEqual({ pagination })
  })

  test("shows a new workspace an empty list", async () => {
    const { session } = await newOwner()
    expect((await get(PROGRAMS, session)).body).toEqual({
      data: [],
      meta: { pagination: { page: 1, pageSize: 10, pageCount: 0, total: 0 } },
    })
  })

  test.each(["owner", "admin", "analyst", "billing"] as const)("shows them to %s", async role => {
    const session = await newMember(owner, role)
    const named = { "x-workspace-id": String(owner.workspace_id) }
    expect(idsOf(await get(PROGRAMS, session, named))).toEqual(ids)
    expect(idsOf(await get(PROGRAMS, session))).toEqual([]) // their own workspace is older
  })

  refusesBadCredentials("GET", () => PROGRAMS)

  test.each(["abc", "0", "-1", "1e3", "9007199254740991", "99999999999999999999"])(
    "404: the workspace is %s",
    async id => {
      const answer = await get(`${PROGRAMS}?page=0`, owner.session, { "x-workspace-id": id })
      expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } })
    },
  )

  test("404: the workspace is another owner's", async () => {
    const { session } = await newOwner()
    const named = { "x-workspace-id": String(owner.workspace_id) }
    expect((await get(PROGRAMS, session, named)).status).toBe(404)
  })

  test("403: the membership is suspended", async () => {
    const session = await newMemberOnly(owner, "owner", "suspended")
    const named = { "x-workspace-id": String(owner.workspace_id) }
    expect((await get(PROGRAMS, session)).status).toBe(403)
    expect((await get(PROGRAMS, session, named)).status).toBe(403)
  })

  test.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "page=one",
    "page=1e1",
    "page=99999999999999999999",
    "pageSize=0",
    "pageSize=101",
    "pageSize=ten",
    "page=%00",
  ])("400: %s", async query => {
    const answer = await get(`${PROGRAMS}?${query}`, owner.session)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  })

  test("a page past the end is empty", async () => {
    const answer = await get(`${PROGRAMS}?page=9007199254740991&pageSize=100`, owner.session)
    expect(answer).toMatchObject({ status: 200, body: { data: [] } })
  })
})

describe("GET /api/advertiser/affiliate-programs/:id", () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await newProgramOf(await newOwner())
  })

  test.each(["owner", "admin", "analyst", "billing"] as const)("shows it to %s", async role => {
    const session = await newMember(program, role)
    const { status, body } = await get(program.path, session)
    expect(status).toBe(200)
    expect(body.data.id).toBe(program.program_id)
    expect(JSON.stringify(body)).not.toContain(program.api_token)
  })

  refusesBadCredentials("GET", ({ path }) => path)
  refusesUnknownPrograms("GET", id => `${PROGRAMS}/${id}`)

  test("404: the membership is suspended", async () => {
    const session = await newMember(program, "owner", "suspended")
    expect((await get(program.path, session)).status).toBe(404)
  })

  test("405: another method", async () => {
    const answer = await send("POST", program.path, { token: program.session, body: {} })
    expect(answer.status).toBe(405)
    expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([
      "DELETE",
      "GET",
      "HEAD",
      "PUT",
    ])
  })
})
