import { expect, test } from "bun:test"
import { presetUrl, type Tracker } from "../../../services/delivery/postbacks/presets"
import { checkTemplate, fillTemplate } from "../../../services/delivery/postbacks/template"
import { SALE } from "./sample-values"

test.each<[Tracker, base_url: string, template: string, filled: string]>([
  [
    "voluum",
    "https://trk.example/postback",
    "https://trk.example/postback?cid={partner_click_id}&payout={payout}&txid={commission_id}&et={event}",
    "https://trk.example/postback?cid=w1%2F2%263&payout=49.90&txid=501&et=sale",
  ],
  [
    "binom",
    "https://binom.example/click.php",
    "https://binom.example/click.php?cnv_id={partner_click_id}&payout={payout}&cnv_status={status}&cnv_currency={currency}",
    "https://binom.example/click.php?cnv_id=w1%2F2%263&payout=49.90&cnv_status=approved&cnv_currency=EUR",
  ],
  [
    "keitaro",
    "https://keitaro.example/k3y/postback",
    "https://keitaro.example/k3y/postback?subid={partner_click_id}&status={status:approved=sale,rejected=rejected}&payout={payout}&tid={commission_id}",
    "https://keitaro.example/k3y/postback?subid=w1%2F2%263&status=sale&payout=49.90&tid=501",
  ],
])("the preset of %s", (tracker, base_url, url, filled) => {
  expect(presetUrl(tracker, base_url)).toBe(url)
  const template = { url, method: "GET", dialect: "tributary" } as const
  expect(checkTemplate(template)).toBeNull()
  expect(fillTemplate(template, SALE).url).toBe(filled)
})

const PRESET = "cid={partner_click_id}&payout={payout}&txid={commission_id}&et={event}"

test.each([
  ["https://t.example", `https://t.example?${PRESET}`],
  [" https://t.example/? ", `https://t.example/?${PRESET}`],
  ["https://t.example/p?key=1", `https://t.example/p?key=1&${PRESET}`],
  ["https://t.example/p?cid=REPLACE&payout=OPTIONAL&x=1", `https://t.example/p?x=1&${PRESET}`],
  ["https://t.example/p?key=1#help", `https://t.example/p?key=1&${PRESET}`],
])("takes over what the tracker shows: %s", (base_url, url) => {
  expect(presetUrl("voluum", base_url)).toBe(url)
})
