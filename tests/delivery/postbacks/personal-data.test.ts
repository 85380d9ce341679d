import { expect, test } from "bun:test"
import { DIALECTS, macroNameOf } from "../../../services/delivery/postbacks/aliases"
import { MACROS } from "../../../services/delivery/postbacks/macros"
import { checkTemplate, fillTemplate } from "../../../services/delivery/postbacks/template"
import { SALE } from "./sample-values"

const SECRETS = {
  click_id: "secret-click-id",
  clickid: "secret-click-id",
  customer_key: "secret-customer",
  customer_id: "secret-customer",
  email: "secret@shop.example",
  customer_email: "secret@shop.example",
  ip: "secret-ip",
  user_agent: "secret-agent",
}
const NAMES = [...Object.keys(MACROS), ...Object.keys(SECRETS), "transactionid", "aff_sub", "name"]

test("no macro reads a customer's data, even if the values have it (invariant B1)", () => {
  const values = { ...SALE, ...SECRETS }
  for (const dialect of DIALECTS) {
    for (const name of NAMES) {
      const template = { url: `https://t.example/?a={${name}}`, method: "GET", dialect } as const
      const isMacro = macroNameOf(name, dialect) !== null
      expect(checkTemplate(template) === null, name).toBe(isMacro)
      if (isMacro) expect(fillTemplate(template, values).url).not.toContain("secret")
    }
  }
})

test("{click_id} is the reference of the click, in every dialect", () => {
  expect(DIALECTS.map(dialect => macroNameOf("click_id", dialect))).toEqual(
    DIALECTS.map(() => "click_ref"),
  )
})
