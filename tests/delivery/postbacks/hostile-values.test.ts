import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  checkTemplate,
  fillTemplate,
  type Template,
} from "../../../services/delivery/postbacks/template"
import { hostileText } from "./hostile-texts"
import { SALE } from "./sample-values"

const RUNS = 10_000

const URL_TEMPLATE =
  "https://t.example:8443/pb/{sub1}/.{sub2}/{sub1}{sub2}./end?a={sub1}&b=x{sub2}y&c=&d={transaction_id}&a={subid}#top"

const postback = (body: Template["body"]): Template => ({
  url: URL_TEMPLATE,
  method: "POST",
  body,
  dialect: "tributary",
})

const FORM = postback({ type: "form", template: "a={sub1}&b=x{sub2}{s1}&c=&d={order_id}" })
const JSON_BODY = postback({
  type: "json",
  template: '{"a":"{sub1}","n":[{payout_cents},"x{sub2}{s1}"],"o":{"d":"{order_id}"},"e":{}}',
})

/** Three values at a time. Half a surrogate pair cannot be sent: U+FFFD stands for it. */
const hold = (claim: (sent: [string, string, string], fill: (each: Template) => Filled) => void) =>
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (sub1, sub2, transaction_id) => {
      const values = { ...SALE, sub1, sub2, transaction_id }
      claim([sub1.toWellFormed(), sub2.toWellFormed(), transaction_id.toWellFormed()], each =>
        fillTemplate(each, values),
      )
    }),
    { numRuns: RUNS },
  )
type Filled = ReturnType<typeof fillTemplate>

test("the templates are accepted", () => {
  expect([FORM, JSON_BODY].map(checkTemplate)).toEqual([null, null])
})

test("a URL keeps its host, segments and parameters, and each value comes back", () => {
  hold(([sub1, sub2, order], fill) => {
    const { url } = fill(FORM)
    expect(url).toMatch(/^[!-~]+$/)

    const parsed = new URL(url)
    expect(parsed.href).toBe(url)
    expect(parsed.origin + parsed.hash).toBe("https://t.example:8443#top")
    expect(parsed.username + parsed.password).toBe("")
    expect(parsed.pathname.split("/").map(decodeURIComponent)).toEqual([
      "",
      "pb",
      withoutDots(sub1),
      withoutDots(`.${sub2}`),
      withoutDots(`${sub1}${sub2}.`),
      "end",
    ])
    expect([...parsed.searchParams]).toEqual([
      ["a", sub1],
      ["b", `x${sub2}y`],
      ["c", ""],
      ["d", order],
      ["a", sub1],
    ])
  })
})

test("a form keeps its parameters, and each value comes back", () => {
  hold(([sub1, sub2, order], fill) => {
    const text = fill(FORM).body!.text
    expect(text).toMatch(/^[!-~]+$/)
    expect([...new URLSearchParams(text)]).toEqual([
      ["a", sub1],
      ["b", `x${sub2}${sub1}`],
      ["c", ""],
      ["d", order],
    ])
  })
})

test("JSON keeps its keys, and each value comes back", () => {
  hold(([sub1, sub2, order], fill) => {
    expect(JSON.parse(fill(JSON_BODY).body!.text)).toEqual({
      a: sub1,
      n: [4_990, `x${sub2}${sub1}`],
      o: { d: order },
      e: {},
    })
  })
})

const withoutDots = (segment: string) => (/^\.{1,2}$/.test(segment) ? "" : segment)
