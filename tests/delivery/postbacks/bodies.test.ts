import { expect, test } from "bun:test"
import type { Dialect } from "../../../services/delivery/postbacks/aliases"
import { checkTemplate, fillTemplate } from "../../../services/delivery/postbacks/template"
import { LEAD, SALE } from "./sample-values"

type Row = [type: "form" | "json", dialect: Dialect, template: string, filled: string]

const bodyOf = (type: "form" | "json", dialect: Dialect, template: string) =>
  ({ url: "https://t.example/", method: "POST", body: { type, template }, dialect }) as const

test.each<Row>([
  ["form", "tributary", "", ""],
  ["form", "tributary", "cid={partner_click_id}&k={coupon_code}", "cid=w1%2F2%263&k=SAVE%2010%25"],
  ["form", "tributary", "a={sub3}&b=1+1&c=x{sub1}y", "a=&b=1+1&c=xnewsy"],
  ["form", "everflow", "id={transaction_id}&o={order_id}", "id=ref.8-Kd_2~&o=ORD%2355"],
  ["form", "affise", "s={status}&m={status:approved=yes}", "s=1&m=yes"],
  ["json", "tributary", '{"cid":"{partner_click_id}"}', '{"cid":"w1/2&3"}'],
  ["json", "tributary", '{ "a": ["{sub2}", "{sub3}"] }', '{ "a": ["März", ""] }'],
  ["json", "tributary", '{"q":"<{sub4}>","z":"{sub5}"}', '{"q":"<\\"q\\">","z":"{payout}"}'],
  ["json", "tributary", '{"p":{payout},"t":{timestamp}}', '{"p":49.90,"t":1795594150}'],
  ["json", "tributary", '[{"e":{}},{is_renewal},1.10]', '[{"e":{}},0,1.10]'],
  ["json", "tributary", '"\\\\{sub1}\\u007b"', '"\\\\news\\u007b"'],
  ["json", "everflow", '{"id":"{transaction_id}"}', '{"id":"ref.8-Kd_2~"}'],
  ["json", "tune", '{"id" : "{transaction_id}"}', '{"id" : "ref.8-Kd_2~"}'],
  ["json", "affise", '{"s":{status},"w":"{status:approved=yes}"}', '{"s":1,"w":"yes"}'],
])("%s, %s: %s", (type, dialect, template, filled) => {
  const postback = bodyOf(type, dialect, template)
  expect(checkTemplate(postback)).toBeNull()
  expect(fillTemplate(postback, SALE).body).toEqual({
    content_type: type === "form" ? "application/x-www-form-urlencoded" : "application/json",
    text: filled,
  })
})

test("what is absent is empty in quotes, and null without them", () => {
  const template = '{"p":{payout},"q":"{payout}","s":{status}}'
  const filled = fillTemplate(bodyOf("json", "affise", template), LEAD)
  expect(filled.body?.text).toBe('{"p":null,"q":"","s":null}')
})
