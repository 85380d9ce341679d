import { beforeAll, describe, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
let other: TestProgram
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
})

const call = (method: string, path: string, body?: unknown, { path: at, session } = program) =>
  send(method, `${at}/groups${path}`, { token: session, body })

async function newGroup(policy: object) {
  const { body } = await call("POST", "", { name: "Group", policy })
  return body.data as { id: number; policy: object }
}

describe("GET …/groups/:groupId/policies", () => {
  test("lists every version, newest first, with when it takes effect", async () => {
    const first = await newGroup({ kind: "percent", rate_bps: 1_000, hold_days: 3 })
    const effective_from = "2200-01-01T00:00:00.000Z"
    const products = [{ product_id: "sku", kind: "fixed", amount_cents: 5 }]
    const changes = [
      { kind: "fixed", amount_cents: 500, products },
      { kind: "percent", rate_bps: 2_000, effective_from },
    ]
    const versions = [first.policy]
    for (const policy of changes) {
      versions.unshift((await call("PUT", `/${first.id}`, { policy })).body.data.policy)
    }
    await call("PUT", `/${first.id}`, { name: "Renamed" }) // no new version

    const { status, body } = await call("GET", `/${first.id}/policies`)
    expect({ status, data: body.data }).toEqual({ status: 200, data: versions })
    expect(body.data).toMatchObject([
      { version: 3, kind: "percent", rate_bps: 2_000, hold_days: 3, effective_from, products },
      { version: 2, kind: "fixed", amount_cents: 500, hold_days: 3, products },
      { version: 1, kind: "percent", rate_bps: 1_000, hold_days: 3, products: [] },
    ])
    const { data, meta } = (await call("GET", `/${first.id}/policies?pageSize=2&page=2`)).body
    expect(data).toEqual([versions[2]])
    expect(meta.pagination).toEqual({ page: 2, pageSize: 2, pageCount: 2, total: 3 })
  })

  test("shows versions that are too large for one message", async () => {
    const product = (i: number) => ({ product_id: `${i}`.padEnd(255, "é"), kind: "percent" })
    const products = Array.from({ length: 320 }, (_, i) => ({ ...product(i), rate_bps: 1 }))
    const { id } = await newGroup({ kind: "percent", rate_bps: 1, products })
    for (let version = 2; version <= 6; version++) {
      await call("PUT", `/${id}`, { policy: { kind: "percent", rate_bps: version } })
    }
    const { data } = (await call("GET", `/${id}/policies?pageSize=100`)).body
    expect(data.map(({ version }: { version: number }) => version)).toEqual([6, 5, 4, 3, 2, 1])
    for (const policy of data) expect(policy.products).toHaveLength(320)
  })

  test("404 for another program's group, 400 for a page that does not exist", async () => {
    const { id } = await newGroup({ kind: "percent", rate_bps: 1 })
    expect((await call("GET", `/${id}/policies`, undefined, other)).status).toBe(404)
    expect((await call("GET", "/999999999/policies")).status).toBe(404)
    expect((await call("GET", "/x/policies")).status).toBe(404)
    expect((await call("GET", `/${id}/policies?page=0`)).status).toBe(400)
  })
})
