import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  checkTemplate,
  fillTemplate,
  type Template,
} from "../../../services/delivery/postbacks/template"
import { hostileText } from "./hostile-texts"
import { SALE } from "./sample-values"

const RUNS = 20_000

/** Templates of pieces that are near a macro, so that many are accepted and all are odd. */
const templateOf = (pieces: string[]) =>
  fc
    .array(fc.constantFrom("{sub1}", "{payout}", ...pieces), { minLength: 1, maxLength: 10 })
    .map(each => each.join(""))

const urlTemplate = templateOf(
  "https:// http:/ // / /. .. %2e %2 % ? & = # @ : \\ t.example é \t a { } / ? &".split(" "),
).map(rest => `https://t.example${rest}`)
const formTemplate = templateOf("a= b = & && ? # % %2 %26 + ; é {".split(" "))
const jsonTemplate = templateOf(
  '" " { } [ ] , : \\ \\u \\u00 1 - "a": {"b":" "} ["c"," "]'.split(" "),
)

/** Compares what an accepted template sends with hostile values and with plain ones. */
function hold(templates: fc.Arbitrary<Template>, shapeOf: (sent: Filled) => unknown): number {
  let accepted = 0
  const keepsShape = fc.property(templates, hostileText, (template, sub1) => {
    if (checkTemplate(template) !== null) return
    accepted += 1
    const plain = fillTemplate(template, { ...SALE, sub1: "v" })
    expect(shapeOf(fillTemplate(template, { ...SALE, sub1 }))).toEqual(shapeOf(plain))
    expect(shapeOf(fillTemplate(template, { ...SALE, sub1: null, payout: null }))).toBeTruthy()
  })
  fc.assert(keepsShape, { numRuns: RUNS })
  return accepted
}
type Filled = ReturnType<typeof fillTemplate>

test("no accepted URL changes its host, segments or parameters with a value", () => {
  const templates = urlTemplate.map(
    (url): Template => ({ url, method: "GET", dialect: "tributary" }),
  )
  const accepted = hold(templates, ({ url }) => {
    const { origin, username, password, pathname, searchParams, hash } = new URL(url)
    const segments = pathname.split("/").length
    return { origin, username, password, segments, names: [...searchParams.keys()], hash }
  })
  expect(accepted).toBeGreaterThan(RUNS / 100)
})

const withBody = (type: "form" | "json") => (template: string) =>
  ({
    url: "https://t.example/",
    method: "POST",
    body: { type, template },
    dialect: "tributary",
  }) as const

test("no accepted form changes its parameters with a value", () => {
  const accepted = hold(formTemplate.map(withBody("form")), ({ body }) => [
    ...new URLSearchParams(body!.text).keys(),
  ])
  expect(accepted).toBeGreaterThan(RUNS / 100)
})

test("no accepted JSON changes its keys and types with a value", () => {
  const accepted = hold(jsonTemplate.map(withBody("json")), ({ body }) => ({
    shape: JSON.parse(body!.text, (_key, value) =>
      typeof value === "object" ? value : typeof value,
    ),
  }))
  expect(accepted).toBeGreaterThan(RUNS / 1_000)
})
