import { describe, expect, test } from "bun:test"
import type { Dialect } from "../../../services/delivery/postbacks/aliases"
import { checkTemplate, fillTemplate } from "../../../services/delivery/postbacks/template"
import { LEAD, SALE } from "./sample-values"

const HOST = "https://t.example/"

/** What follows the host, as a template and filled with SALE. */
const URLS: Record<Dialect, [template: string, filled: string][]> = {
  tributary: [
    ["", ""],
    ["pb?cid={partner_click_id}", "pb?cid=w1%2F2%263"],
    ["pb?a={sub1}&b={sub2}&c={sub3}", "pb?a=news&b=M%C3%A4rz&c="],
    ["pb?q={sub4}&z={sub5}", "pb?q=%22q%22&z=%7Bpayout%7D"],
    ["pb?p={payout}&c={currency}&m={payout_cents}", "pb?p=49.90&c=EUR&m=4990"],
    ["pb?s={status}&e={event}", "pb?s=approved&e=sale"],
    ["pb?s={status:approved=1,rejected=2}", "pb?s=1"],
    ["pb?s={status:pending=0 approved=ok}", "pb?s=ok"],
    ["pb?s={status:rejected=2}", "pb?s="],
    ["pb?s={status: approved=a+b, paid= }", "pb?s=a%2Bb"],
    ["pb?e={event:lead=signup,sale=покупка}", "pb?e=%D0%BF%D0%BE%D0%BA%D1%83%D0%BF%D0%BA%D0%B0"],
    ["pb?e={goal:sale=2}&s={cnv_status:approved=3}", "pb?e=2&s=3"],
    ["pb?a={sale_amount}&o={transaction_id}&s={sale_id}", "pb?a=1999.00&o=ORD%2355&s=1001"],
    ["pb?tx={commission_id}&ev={event_id}", "pb?tx=501&ev=evt_7f3a"],
    [
      "pb?p={partner_id}&o={program_id}&l={link_code}&k={coupon_code}",
      "pb?p=42&o=7&l=anna-blog&k=SAVE%2010%25",
    ],
    ["pb?g={country}&d={device_type}", "pb?g=DE&d=mobile"],
    [
      "pb?t={timestamp}&d={datetime}&c={click_timestamp}",
      "pb?t=1795594150&d=2026-11-25T08%3A09%3A10.123Z&c=1795507750",
    ],
    ["pb?again={is_renewal}&r={random}", "pb?again=0&r=5f3e9a"],
    ["{partner_click_id}/{sub2}/done", "w1%2F2%263/M%C3%A4rz/done"],
    ["{sub3}/x/{sub3}", "/x/"],
    ["in-{sub1}.gif?x", "in-news.gif?x"],
    ["pb?x={click_ref}&y={click_id}&z={clickid}", "pb?x=ref.8-Kd_2~&y=ref.8-Kd_2~&z=ref.8-Kd_2~"],
    [
      "pb?a={aff_click_id}&b={external_id}&c={externalid}",
      "pb?a=w1%2F2%263&b=w1%2F2%263&c=w1%2F2%263",
    ],
    ["pb?a={subid}{sub_id}{subid1}{s1}{aff_sub}", "pb?a=newsnewsnewsnewsnews"],
    ["pb?b={subid2}{s2}{aff_sub2}", "pb?b=M%C3%A4rzM%C3%A4rzM%C3%A4rz"],
    ["pb?e={event_name}&g={goal}&s={cnv_status}", "pb?e=sale&g=sale&s=approved"],
    [
      "pb?p={payout_amount}&s={sum}&c={payout_currency}&d={cnv_currency}",
      "pb?p=49.90&s=49.90&c=EUR&d=EUR",
    ],
    [
      "pb?a={amount}&o={order_sum}&i={order_id}&c={conversion_id}",
      "pb?a=1999.00&o=1999.00&i=ORD%2355&c=1001",
    ],
    ["pb?t={tid}&x={txid}", "pb?t=501&x=501"],
    [
      "pb?a={affiliate_id}&b={aff_id}&c={pid}&d={offer_id}&e={offerid}&f={promo_code}",
      "pb?a=42&b=42&c=42&d=7&e=7&f=SAVE%2010%25",
    ],
    [
      "pb?a={geo}&b={country_code}&c={date}&d={rand}",
      "pb?a=DE&b=DE&c=2026-11-25T08%3A09%3A10.123Z&d=5f3e9a",
    ],
    ["pb?u={sub1}&raw=a%26b+c", "pb?u=news&raw=a%26b+c"],
    ["pb?x=a=b{sub1}?c#part", "pb?x=a=bnews?c#part"],
  ],
  everflow: [
    ["pb?id={transaction_id}", "pb?id=ref.8-Kd_2~"],
    ["pb?cid={sub1}&p={payout_amount}&cur={payout_currency}", "pb?cid=news&p=49.90&cur=EUR"],
    ["pb?o={order_id}&c={conversion_id}&a={sale_amount}", "pb?o=ORD%2355&c=1001&a=1999.00"],
    [
      "pb?aff={affiliate_id}&off={offer_id}&ev={event_name}&g={country_code}",
      "pb?aff=42&off=7&ev=sale&g=DE",
    ],
    ["pb?s={status:approved=confirmed}", "pb?s=confirmed"],
  ],
  tune: [
    ["pb?tid={transaction_id}&cid={aff_click_id}", "pb?tid=ref.8-Kd_2~&cid=w1%2F2%263"],
    ["aff_lsr/{aff_sub}?b={aff_sub2}&e={aff_sub5}", "aff_lsr/news?b=M%C3%A4rz&e=%7Bpayout%7D"],
    ["pb?g={goal}&p={payout}&amount={sale_amount}", "pb?g=sale&p=49.90&amount=1999.00"],
    ["pb?when={datetime}&aff={aff_id}", "pb?when=2026-11-25T08%3A09%3A10.123Z&aff=42"],
    ["pb?order={order_id}", "pb?order=ORD%2355"],
  ],
  affise: [
    ["pb?action_id={transactionid}&sub={sub1}", "pb?action_id=ORD%2355&sub=news"],
    ["pb?id={transaction_id}", "pb?id=ORD%2355"],
    ["pb?s={status}", "pb?s=1"],
    ["pb?s={cnv_status}&sum={sum}&cur={currency}", "pb?s=1&sum=49.90&cur=EUR"],
    ["pb?s={status:approved=yes}", "pb?s=yes"],
    ["pb?g={goal}&o={offerid}&p={pid}&geo={geo}", "pb?g=sale&o=7&p=42&geo=DE"],
    [
      "pb?k={promo_code}&os={order_sum}&r={rand}&t={timestamp}",
      "pb?k=SAVE%2010%25&os=1999.00&r=5f3e9a&t=1795594150",
    ],
  ],
}

const template = (path: string, dialect: Dialect) =>
  ({ url: HOST + path, method: "GET", dialect }) as const

for (const [dialect, urls] of Object.entries(URLS) as [Dialect, [string, string][]][]) {
  describe(`URLs in the dialect ${dialect}`, () => {
    test.each(urls)("%s", (path, filled) => {
      expect(checkTemplate(template(path, dialect))).toBeNull()
      expect(fillTemplate(template(path, dialect), SALE)).toEqual({
        url: HOST + filled,
        body: null,
      })
    })
  })
}

const fill = (path: string, dialect: Dialect, values: Partial<typeof SALE>) =>
  fillTemplate(template(path, dialect), { ...SALE, ...values }).url.slice(HOST.length)

test("what is absent is empty, and its parameter stays", () => {
  const path = "{sub1}?c={partner_click_id}&p={payout}{currency}&s={status}&t={click_timestamp}"
  expect(fill(path, "tributary", LEAD)).toBe("?c=&p=&s=&t=")
  expect(fill("?s={status}&m={status:approved=1}", "affise", LEAD)).toBe("?s=&m=")
})

test.each([
  ["approved", "1"],
  ["paid", "1"],
  ["pending", "2"],
  ["rejected", "3"],
  ["reversed", "3"],
  ["held", "5"],
] as const)("Affise's code of %s is %s", (status, code) => {
  expect(fill("?s={status}", "affise", { status })).toBe(`?s=${code}`)
  expect(fill("?s={status}", "tributary", { status })).toBe(`?s=${status}`)
})

test.each([
  [5_000, "JPY", "5000"],
  [4_999, "KWD", "4.999"],
  [5, "USD", "0.05"],
  [0, "USD", "0.00"],
  [123_456_789_012, "USD", "1234567890.12"],
])("%i minor units of %s are %s", (cents, currency, text) => {
  expect(fill("?p={payout}", "tributary", { payout: { cents, currency } })).toBe(`?p=${text}`)
})

test.each([
  ["a/{sub1}/b", "..", "a//b"],
  ["a/{sub1}/b", ".", "a//b"],
  ["a/.{sub1}/b", ".", "a//b"],
  ["a/%2E{sub1}/b", ".", "a//b"],
  ["a/{sub1}.", ".", "a/"],
  ["a/{sub1}", "...", "a/..."],
  ["a/{sub1}/b", "../c", "a/..%2Fc/b"],
  ["a/{sub1}/b", "%2e%2e", "a/%252e%252e/b"],
  ["a/{sub1}/b", "..\\", "a/..%5C/b"],
])("in %s the value %s takes no step up the path", (path, sub1, filled) => {
  expect(fill(path, "tributary", { sub1 })).toBe(filled)
})
