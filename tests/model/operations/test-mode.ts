import type { Send } from "../client"
import { readAs } from "../compare/pages"
import { learned, text } from "../match"
import { newMoment } from "../moment"
import type { Program } from "../state"
import type { Operation } from "./operation"

const LATE_MS = 1_000 // a request whose answer was lost may still be under way

/** Test events are answered with their id, and change nothing that is counted. */
export function testMode(program: Program): Operation {
  const { random } = program
  const kind = random.pick(["click", "lead", "sale", "refund"] as const)
  const additional_data = { test_mode: true, program_id: program.id }
  const hasToken = kind === "sale" || kind === "refund"
  const at = newMoment()
  const request = {
    kind: `test ${kind}`,
    method: "POST",
    path: `/api/v1/track/${kind}`,
    token: hasToken ? program.api_token : undefined,
    body: {
      additional_data,
      click_id: random.happens(0.5) ? (program.customers[0]?.click_id ?? undefined) : undefined,
      amount_cents: kind === "sale" ? 100 : undefined,
      transaction_id: kind === "sale" ? program.sales[0]?.transaction_id : undefined,
    },
    about: ["test events"],
    at,
  }
  if (program.status === "archived" && kind !== "refund") {
    return { ...request, status: hasToken ? 401 : 400, expected: { error: text() } }
  }
  const event = { id: 0, at }
  const eventId = kind === "refund" ? null : learned(event, "id")
  const data = { eventId, programId: program.id, test_mode: true }
  return {
    ...request,
    status: 200,
    expected: { success: true, message: text(), data },
    apply: () => {
      if (kind !== "refund") program.tests[kind].push(event)
    },
    applyRepeated: async send => {
      if (kind !== "refund") await storeAll(program, kind, event, send)
    },
  }
}

const STATISTICS = { click: "pageview", lead: "referrals", sale: "payments" } as const

/** A test event whose answer was lost may have been counted: the status says how many were. */
async function storeAll(
  { id, owner, tests }: Program,
  kind: keyof typeof STATISTICS,
  event: Program["tests"]["click"][number],
  send: Send,
) {
  await Bun.sleep(LATE_MS)
  const { data } = await readAs(send, owner.session, `/api/tracking/status/${id}`)
  const { testEventCount } = data.statistics[STATISTICS[kind]]
  do tests[kind].push(event)
  while (tests[kind].length < testEventCount)
}
