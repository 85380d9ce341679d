import { expect, test } from "bun:test"
import { type EventContent, eventBody } from "../../../services/delivery/events/event-body"

const content: EventContent = {
  event_key: "0192f0c1-2b3c-4d5e-8f90-a1b2c3d4e5f6",
  type: "commission.approved",
  at: "2026-11-24T10:00:00.000Z",
  sequence: 7,
  workspace_id: 2,
  program_id: 3,
  data: { id: 5, sale_id: 6, partner_id: 4, status: "approved", amount_cents: 999 },
  previous: { status: "pending" },
}

test("a full event has the object and what changed in it", () => {
  expect(JSON.parse(eventBody(content, "full"))).toEqual({
    id: "evt_0192f0c12b3c4d5e8f90a1b2c3d4e5f6",
    type: "commission.approved",
    timestamp: "2026-11-24T10:00:00.000Z",
    api_version: "2026-11",
    sequence: 7,
    workspace_id: 2,
    program_id: 3,
    test: false,
    data: { ...content.data, previous: { status: "pending" } },
  })
})

test.each([
  ["its own and those of others", content.data, { id: 5, sale_id: 6, partner_id: 4 }],
  ["that of a lead's customer", { id: 1, customer: { id: 8 } }, { id: 1, customer_id: 8 }],
  ["none that is null", { id: 1, commission_id: null }, { id: 1 }],
  ["a partner's", { partner_id: 4, name: "Ann" }, { id: 4, partner_id: 4 }],
])("a thin event has only ids: %s", (_which, data, ids) => {
  expect(JSON.parse(eventBody({ ...content, data }, "thin")).data).toEqual(ids)
})

test("an event of more than 64 KiB is thin and says so", () => {
  const ofBytes = (bytes: number) => {
    const padded = (note: string) => ({ ...content, data: { ...content.data, note } })
    return padded("é".repeat((bytes - Buffer.byteLength(eventBody(padded(""), "full"))) / 2))
  }
  const largest = ofBytes(64 * 1024)
  expect(Buffer.byteLength(eventBody(largest, "full"))).toBeGreaterThan(64 * 1024 - 2)
  expect(JSON.parse(eventBody(largest, "full"))).not.toHaveProperty("truncated")

  const { data, truncated } = JSON.parse(eventBody(ofBytes(64 * 1024 + 2), "full"))
  expect({ data, truncated }).toEqual({
    data: { id: 5, sale_id: 6, partner_id: 4 },
    truncated: true,
  })
})
