import { describe, expect, test } from "bun:test"
import type { Dialect } from "../../../services/delivery/postbacks/aliases"
import { checkTemplate } from "../../../services/delivery/postbacks/template"

const BEGINNING = "url must begin with https:// and a host."
const PLACE = "url may have macros in its path and query only."
const NAME = "may have macros in the values of parameters only, not in their names."
const BRACES = "has a { or } that does not belong to a macro."
const SPACES = "must not have spaces, control characters or backslashes: percent-encode them."
const PERCENT = "must have % written as %25."
const SHAPE =
  "must map values as in {status:approved=1,rejected=2}, to letters, digits, -, _, ., + and ~."
const personal = (name: string) =>
  `url may not have {${name}}: no customer's data is sent in postbacks.`

describe("A URL is refused:", () => {
  test.each([
    ["", BEGINNING],
    ["t.example/{sub1}", BEGINNING],
    ["ftp://t.example/{sub1}", BEGINNING],
    ["https:/t.example/{sub1}", BEGINNING],
    ["https:///{sub1}/x", BEGINNING], // URL parsers would take the macro for the host
    ["https:\\\\t.example\\{sub1}", BEGINNING],
    ["{sub1}://t.example/", BEGINNING],
    ["https://{sub1}.example/", PLACE],
    ["https://t.example{sub1}", PLACE],
    ["https://t.example:{sub1}/", PLACE],
    ["https://{sub1}@t.example/", PLACE],
    ["https://a:{sub1}@t.example/", PLACE],
    ["https://t.example/#{sub1}", PLACE],
    ["https://t.example#/?a={sub1}", PLACE],
    ["https://t.example:99999/{sub1}", "url must be a valid URL."],
    ["https://t.example?{sub1}=1", `url ${NAME}`],
    ["https://t.example/?a=1&b{sub1}=2", `url ${NAME}`],
    ["https://t.example/?{sub1}", `url ${NAME}`],
    ["https://t.example\\{sub1}", `url ${SPACES}`],
    ["https://t.example/a b", `url ${SPACES}`],
    ["https://t.example/\r\nHost: x", `url ${SPACES}`],
    ["https://t.example/\0", `url ${SPACES}`],
    ["https://t.example/?a=%{sub1}", `url ${PERCENT}`],
    ["https://t.example/%2{sub1}", `url ${PERCENT}`],
    ["https://t.example/?a=100%", `url ${PERCENT}`],
    ["https://t.example/?a={}", `url ${BRACES}`],
    ["https://t.example/?a={sub1", `url ${BRACES}`],
    ["https://t.example/?a={{sub1}}", `url ${BRACES}`],
    ["https://t.example/?a={ sub1 }", `url ${BRACES}`],
    ["https://t.example/?a={foo}", "url has an unknown macro, {foo}."],
    ["https://t.example/?a={SUB1}", "url has an unknown macro, {SUB1}."],
    ["https://t.example/?a={sub6}", "url has an unknown macro, {sub6}."],
    ["https://t.example/?a={constructor}", "url has an unknown macro, {constructor}."],
    ["https://t.example/?a={__proto__}", "url has an unknown macro, {__proto__}."],
    ["https://t.example/?a={transactionid}", "url has an unknown macro, {transactionid}."],
    ["https://t.example/?a={ip}", personal("ip")],
    ["https://t.example/?a={email}", personal("email")],
    ["https://t.example/?a={customer_key}", personal("customer_key")],
    ["https://t.example/?a={ip:approved=1}", personal("ip")],
    [
      "https://t.example/?a={payout:approved=1}",
      "url may map the values of status and event only.",
    ],
    [
      "https://t.example/?a={event:approved=1,bought=2}",
      "url maps bought, but the event is one of lead, sale, approved, rejected, refunded, paid.",
    ],
    ["https://t.example/?a={status:1=approved}", `url ${SHAPE}`],
    [
      "https://t.example/?a={status:refunded=1}",
      "url maps refunded, but the status is one of pending, approved, held, rejected, reversed, paid.",
    ],
    ["https://t.example/?a={status:paid=1,paid=2}", "url maps paid twice."],
    ["https://t.example/?a={status:}", `url ${SHAPE}`],
    ["https://t.example/?a={status:approved}", `url ${SHAPE}`],
    ["https://t.example/?a={status:approved=a&b}", `url ${SHAPE}`],
    [`https://t.example/?a=${"x".repeat(2_048)}`, "url must have at most 2048 characters."],
  ])("%j", (url, problem) => {
    expect(checkTemplate({ url, method: "GET", dialect: "tributary" })).toBe(problem)
  })

  test.each<[Dialect, string | null]>([
    ["tributary", "url has an unknown macro, {transactionid}."],
    ["everflow", "url has an unknown macro, {transactionid}."],
    ["tune", "url has an unknown macro, {transactionid}."],
    ["affise", null],
  ])("what only Affise knows, in %s", (dialect, problem) => {
    const url = "https://t.example/?a={transactionid}"
    expect(checkTemplate({ url, method: "GET", dialect })).toBe(problem)
  })
})

describe("A body is refused:", () => {
  test.each([
    ["form", "{sub1}=1", NAME],
    ["form", "a={sub1}&{sub2}", NAME],
    ["form", "a=b c", SPACES],
    ["form", "a=%{sub1}", PERCENT],
    ["form", "a={foo}", "has an unknown macro, {foo}."],
    ["json", "", "must be valid JSON."],
    ["json", "{sub1", "must be valid JSON."],
    ["json", '{"a":"{sub1}"', "must be valid JSON."],
    ["json", '["\\{sub1}"]', "must be valid JSON."],
    ["json", '["\\{sub1}","]', "must be valid JSON."],
    ["json", '["\\u00{sub1}"]', "must be valid JSON."],
    ["json", "[1{payout}]", "must be valid JSON."],
    ["json", "[-{payout}]", "must be valid JSON."],
    ["json", "[{payout}{payout}]", "must be valid JSON."],
    ["json", '{"{sub1}":1}', "may have macros in the values of its JSON only, not in keys."],
    ["json", '{"a":{sub1}}', "must have {sub1} in quotes: only numbers may be without."],
    [
      "json",
      '{"a":{status:paid=1}}',
      "must have {status:paid=1} in quotes: only numbers may be without.",
    ],
    ["json", '{"a":"{"}', BRACES],
    ["json", '{"a":"{my macro}"}', BRACES],
    ["json", '{"a":"{foo}"}', "has an unknown macro, {foo}."],
    ["json", '{"a":{foo}}', "has an unknown macro, {foo}."],
    ["json", `"${"x".repeat(8_192)}"`, "must have at most 8192 characters."],
  ] as const)("%s %j", (type, template, problem) => {
    const body = { type, template }
    const url = "https://t.example/"
    const postback = { url, method: "POST", body, dialect: "tributary" } as const
    expect(checkTemplate(postback)).toBe(`body.template ${problem}`)
  })

  test("with GET", () => {
    const body = { type: "form", template: "" } as const
    const postback = { url: "https://t.example/", method: "GET", body, dialect: "tune" } as const
    expect(checkTemplate(postback)).toBe("body must be absent if method is GET.")
  })
})
