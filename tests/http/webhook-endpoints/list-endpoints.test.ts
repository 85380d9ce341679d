import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials } from "../../support/credentials"
import { newOwner, newProgram, type TestProgram } from "../../support/program"
import { ENDPOINTS, listEndpoints, newEndpoint } from "../../support/webhook-endpoint"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

describe("GET /api/advertiser/webhook-endpoints", () => {
  test("lists those of the workspace by id, in pages", async () => {
    const owner = await newOwner()
    const ids: number[] = []
    for (let i = 0; i < 3; i++) ids.push((await newEndpoint(owner)).id)
    const list = async (query: string) =>
      (await listEndpoints(owner, query)).body.data.map(({ id }: { id: number }) => id)
    expect(await list("")).toEqual(ids)
    expect(await list("?page=2&pageSize=2")).toEqual(ids.slice(2))
  })

  test.each(["page=0", "pageSize=101"])("400: %s", async query => {
    expect((await listEndpoints(program, `?${query}`)).status).toBe(400)
  })

  refusesBadCredentials("GET", () => ENDPOINTS)
})
