import { beforeAll, describe, expect, test } from "bun:test"
import { listAuditLog } from "../../support/audit-log"
import { columnsContaining } from "../../support/columns"
import { newProgram, type TestProgram } from "../../support/program"
import {
  deleteEndpoint,
  maskedSecret,
  newEndpoint,
  postToEndpoint,
  SECRET,
  showEndpoint,
  storedEndpoints,
} from "../../support/webhook-endpoint"
import { sql } from "../../support/world"

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const rotate = (id: number, overlap_hours?: unknown) =>
  postToEndpoint(program, id, "rotate-secret", { overlap_hours })

describe("POST …/:id/rotate-secret", () => {
  /** The valid secrets of an endpoint, masked, and for how many hours each is valid. */
  const validSecretsOf = async (id: number) =>
    (
      await sql<{ masked: string; hours: number | null }[]>`
        select masked, round(extract(epoch from valid_until - now()) / 3600)::int as hours
        from delivery.webhook_secrets
        where endpoint_id = ${id}
        order by valid_until nulls last
      `
    ).map(({ masked, hours }) => [masked, hours])

  test("shows a new secret once, and the old one signs for 24 hours", async () => {
    const { id, secret: first } = await newEndpoint(program)
    const { status, body } = await rotate(id)
    const { secret, ...shown } = body.data
    expect({ status, shown }).toMatchObject({
      status: 200,
      shown: {
        secret_masked: maskedSecret(secret),
        previous_secret_valid_until: TIME,
      },
    })
    expect(secret).toMatch(SECRET)
    expect(await validSecretsOf(id)).toEqual([
      [maskedSecret(first), 24],
      [maskedSecret(secret), null],
    ])
    expect((await showEndpoint(program, id)).body).toEqual({ data: shown })
    await deleteEndpoint(program, id)
  })

  test("ends the oldest secret, so that at most two are valid", async () => {
    const { id } = await newEndpoint(program)
    const { secret: two } = (await rotate(id, 168)).body.data
    const { secret: three } = (await rotate(id, 1)).body.data
    expect(await validSecretsOf(id)).toEqual([
      [maskedSecret(two), 1],
      [maskedSecret(three), null],
    ])
    const { body } = await rotate(id, 0)
    expect(body.data.previous_secret_valid_until).toBeNull()
    expect(await validSecretsOf(id)).toEqual([[maskedSecret(body.data.secret), null]])
    await deleteEndpoint(program, id)
  })

  test("leaves two valid secrets, however many calls race", async () => {
    const { id } = await newEndpoint(program)
    const replies = await Promise.all(Array.from({ length: 20 }, () => rotate(id)))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const valid = (await validSecretsOf(id)).map(([secret]) => secret)
    expect(valid).toHaveLength(2)
    expect(replies.map(({ body }) => maskedSecret(body.data.secret))).toEqual(
      expect.arrayContaining(valid),
    )
    await deleteEndpoint(program, id)
  })

  test.each([-1, 169, 1.5, "24", null])("400: overlap_hours is %p", async overlap_hours => {
    const { id } = await newEndpoint(program)
    const before = await storedEndpoints(program)
    expect((await rotate(id, overlap_hours)).status).toBe(400)
    expect(await storedEndpoints(program)).toEqual(before)
    await deleteEndpoint(program, id)
  })
})

test("409: an endpoint without a secret is enabled only after a new one", async () => {
  const { id } = await newEndpoint(program)
  await postToEndpoint(program, id, "disable")
  await sql`delete from delivery.webhook_secrets where endpoint_id = ${id}`
  expect((await showEndpoint(program, id)).body.data.secret_masked).toBeNull()
  expect((await postToEndpoint(program, id, "enable")).status).toBe(409)
  expect((await rotate(id)).status).toBe(200)
  expect((await postToEndpoint(program, id, "enable")).status).toBe(200)
  await deleteEndpoint(program, id)
})

test("a secret is nowhere in plain", async () => {
  const { id, secret } = await newEndpoint(program)
  const { secret: next } = (await rotate(id)).body.data
  const { body: auditLog } = await listAuditLog(program, "?pageSize=100")
  for (const each of [secret, next]) {
    const bytes = each.slice("whsec_".length)
    expect(await columnsContaining(sql, bytes)).toEqual([])
    expect(await columnsContaining(sql, Buffer.from(bytes, "base64").toString("hex"))).toEqual([])
    expect(JSON.stringify(auditLog)).not.toContain(bytes)
  }
  await deleteEndpoint(program, id)
})
