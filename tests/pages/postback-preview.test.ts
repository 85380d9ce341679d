import { describe, expect, test } from "bun:test"
import { POSTBACK_VOCABULARY } from "../../services/delivery/contract"
import { DIALECTS, type Dialect } from "../../services/delivery/postbacks/aliases"
import { hideSale } from "../../services/delivery/postbacks/hide-sale"
import {
  POSTBACK_EVENTS,
  type PostbackEvent,
  type PostbackStatus,
  type PostbackValues,
} from "../../services/delivery/postbacks/postback-values"
import { presetUrl } from "../../services/delivery/postbacks/presets"
import { checkTemplate, fillTemplate } from "../../services/delivery/postbacks/template"
import type { Draft } from "../../web/postbacks/postback"
import { withPreset } from "../../web/postbacks/preset"
import { previewOf } from "../../web/postbacks/preview"
import { sampleOf } from "../../web/postbacks/sample"

const HOST = "https://track.example/postback"
const AT = new Date("2026-01-31T12:00:00Z")
const RECEIVERS = ["partner", "program"] as const

const names = POSTBACK_VOCABULARY.macros.flatMap(({ name, aliases }) => [name, ...aliases])
const everyName = (dialect: Dialect) =>
  [...names, ...(dialect === "affise" ? ["transactionid"] : [])]
    .map((name, i) => `p${i}={${name}}`)
    .join("&")
const numbers = POSTBACK_VOCABULARY.macros.filter(({ is_number }) => is_number)

const STATUSES: Record<PostbackEvent, PostbackStatus | null> = {
  lead: null,
  sale: "pending",
  approved: "approved",
  rejected: "rejected",
  refunded: "reversed",
  paid: "paid",
}

/** The sample of the pages, as the server has such values. */
function valuesOf(event: PostbackEvent, receiver: (typeof RECEIVERS)[number]): PostbackValues {
  const sample = sampleOf(event, receiver, AT)
  const hasSale = event !== "lead"
  const text = (name: string) => sample[name] ?? null
  const values = {
    event,
    event_id: sample.event_id!,
    status: STATUSES[event],
    at: AT,
    program_id: Number(sample.program_id),
    partner_id: Number(sample.partner_id),
    link_code: text("link_code"),
    coupon_code: null,
    partner_click_id: text("partner_click_id"),
    sub1: text("sub1"),
    sub2: text("sub2"),
    sub3: text("sub3"),
    sub4: text("sub4"),
    sub5: text("sub5"),
    click_ref: text("click_ref"),
    clicked_at: AT,
    country: text("country"),
    device_type: text("device_type"),
    is_renewal: false,
    sale_id: hasSale ? 1_001 : null,
    commission_id: hasSale ? 501 : null,
    transaction_id: hasSale ? "test-order" : null,
    sale_amount: hasSale ? { cents: 4_999, currency: "USD" } : null,
    payout: hasSale ? { cents: 1_500, currency: "USD" } : null,
    random: sample.random!,
  }
  return hideSale(values, { receiver, share_sale_amount: false })
}

/** What the server makes of a draft, and what the page shows. */
function both(draft: Draft, event: PostbackEvent, receiver: (typeof RECEIVERS)[number]) {
  const { body, ...rest } = draft
  const template = { ...rest, ...(body && { body }) }
  expect(checkTemplate(template)).toBe(null)
  const filled = fillTemplate(template, valuesOf(event, receiver))
  const { unknown, ...shown } = previewOf(draft, POSTBACK_VOCABULARY, sampleOf(event, receiver, AT))
  expect(unknown).toEqual([])
  return { shown, sent: { url: filled.url, body: filled.body?.text ?? null } }
}

const cases = DIALECTS.flatMap(dialect =>
  POSTBACK_EVENTS.flatMap(event =>
    RECEIVERS.map((receiver): [Dialect, PostbackEvent, "partner" | "program"] => [
      dialect,
      event,
      receiver,
    ]),
  ),
)

describe("the preview of a postback shows what the server sends", () => {
  test.each(cases)("in the dialect %s, for %s, to a %s", (dialect, event, receiver) => {
    const url = `${HOST}/{sub1}/x?${everyName(dialect)}`
    const form = { type: "form" as const, template: everyName(dialect) }
    const json = {
      type: "json" as const,
      template: JSON.stringify(Object.fromEntries(names.map(name => [name, `{${name}}`]))),
    }
    const bare = {
      type: "json" as const,
      template: `{${numbers.map(({ name }) => `"${name}": {${name}}`).join(", ")}}`,
    }
    for (const body of [null, form, json, bare]) {
      const method = body ? ("POST" as const) : ("GET" as const)
      const { shown, sent } = both({ url, method, body, dialect }, event, receiver)
      expect(shown).toEqual(sent)
    }
  })

  test.each([
    "https://track.example?s={status:approved=1,rejected=2}&e={event:sale=purchase lead=lead}",
    "https://TRACK.example:443/a/../b/{coupon_code}/%2e/{sub2}?x=%20#part",
    "https://track.example/ü?q=ä&c={partner_click_id}",
  ])("%s", url => {
    for (const event of POSTBACK_EVENTS) {
      const draft: Draft = { url, method: "GET", body: null, dialect: "tributary" }
      const { shown, sent } = both(draft, event, "partner")
      expect(shown).toEqual(sent)
    }
  })

  test("values are encoded as the server encodes them", () => {
    const value = "a b&c=d/%?#'()*!\"\\\n{payout}\ud83d"
    const values = { ...valuesOf("sale", "partner"), sub1: value }
    const sample = { ...sampleOf("sale", "partner", AT), sub1: value }
    const body = { type: "json" as const, template: '{"s": "{sub1}"}' }
    const draft = { url: `${HOST}/{sub1}?s={sub1}`, method: "POST" as const, body }
    const filled = fillTemplate({ ...draft, dialect: "tributary" }, values)
    const shown = previewOf({ ...draft, dialect: "tributary" }, POSTBACK_VOCABULARY, sample)
    expect(shown).toEqual({ url: filled.url, body: filled.body!.text, unknown: [] })
  })

  test("macros that do not exist are named, and an address that is still typed stays as it is", () => {
    const draft: Draft = { url: "https:/{nope}", method: "GET", body: null, dialect: "tributary" }
    const shown = previewOf(draft, POSTBACK_VOCABULARY, sampleOf("sale", "partner"))
    expect(shown).toEqual({ url: "https:/{nope}", body: null, unknown: ["{nope}"] })
  })
})

test.each(["", HOST, `${HOST}?cid=REPLACE&payout=OPTIONAL&keep=1#x`, ` ${HOST}?a?b `])(
  "a preset fills %j as the server fills it",
  address => {
    for (const { tracker, query } of POSTBACK_VOCABULARY.presets) {
      expect(withPreset(address, query)).toBe(presetUrl(tracker as "voluum", address))
    }
  },
)
