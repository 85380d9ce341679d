import { expect, test } from "bun:test"
import { listAuditLog } from "../../support/audit-log"
import { newKey } from "../../support/key"
import { newProgram, type TestProgram } from "../../support/program"
import {
  deleteEndpoint,
  newEndpoint,
  postToEndpoint,
  updateEndpoint,
} from "../../support/webhook-endpoint"

test("every write leaves an audit entry, of the URL only with its host", async () => {
  const owner = await newProgram()
  const { id, secret_masked } = await newEndpoint(owner, { url: "https://93.184.215.14/canary" })
  const { key } = await newKey(owner)
  await updateEndpoint(owner, id, { url: "https://93.184.215.14/canary/2", payload: "thin" })
  await updateEndpoint(owner, id, { payload: "thin" }) // changes nothing
  await postToEndpoint({ session: key }, id, "disable")
  await postToEndpoint({ session: key }, id, "disable")
  await postToEndpoint({ session: key }, id, "enable")
  const rotated = await postToEndpoint(owner, id, "rotate-secret", { overlap_hours: 2 })
  await deleteEndpoint(owner, id)

  const entries = await entriesOf(owner)
  const host = "93.184.215.14"
  expect(
    entries.toReversed().map(({ action, actor, details }) => [action, actor.kind, details]),
  ).toEqual([
    [
      "webhook_endpoint.create",
      "user",
      { host, events: ["*"], program_ids: null, payload: "full", description: null },
    ],
    ["webhook_endpoint.update", "user", { host, payload: "thin" }],
    ["webhook_endpoint.disable", "key", { status: "disabled" }],
    ["webhook_endpoint.enable", "key", { status: "enabled" }],
    [
      "webhook_endpoint.rotate_secret",
      "user",
      { secret_masked: rotated.body.data.secret_masked, overlap_hours: 2 },
    ],
    ["webhook_endpoint.delete", "user", { host }],
  ])
  for (const entry of entries) {
    expect(entry).toMatchObject({ subject: { id }, program_id: null })
    expect(entry.actor.name).toBeString()
  }
  expect(JSON.stringify(entries)).not.toContain("canary")
  expect(secret_masked).not.toBe(rotated.body.data.secret_masked)
  expect(await entriesOf(await newProgram())).toEqual([])
})

type Entry = {
  action: string
  actor: { kind: string; name: string | null }
  subject: { type: string; id: number }
  program_id: number | null
  details: object
}

async function entriesOf(program: TestProgram): Promise<Entry[]> {
  const { data, meta } = (await listAuditLog(program, "?pageSize=100")).body
  expect(meta.appliedUntil).toBeUndefined()
  return data.filter(({ subject }: Entry) => subject.type === "webhook_endpoint")
}
