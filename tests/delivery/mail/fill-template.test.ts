import { describe, expect, test } from "bun:test"
import { Mail } from "../../../services/delivery/contract"
import { fillTemplate } from "../../../services/delivery/mail/fill-template"
import { TEMPLATES, type Template } from "../../../services/delivery/mail/templates"

const template: Template = {
  subject: "{{who}} invites you",
  body: `
Hello {{who}},
welcome.

[Open {{what}}]({{link}})`,
}
const values = { who: "Ada", what: "it", link: "https://shop.example/?a=1&b=2" }

describe("a filled template", () => {
  test("has the same words as text and as HTML", () => {
    const { subject, text, html } = fillTemplate(template, values)
    expect(subject).toBe("Ada invites you")
    expect(text).toBe("Hello Ada, welcome.\n\nOpen it:\nhttps://shop.example/?a=1&b=2\n")
    expect(html).toContain("<title>Ada invites you</title>")
    expect(html).toContain("<p>Hello Ada, welcome.</p>")
    expect(html).toContain('<p><a href="https://shop.example/?a=1&amp;b=2">Open it</a></p>')
  })

  test.each([
    ["markup", `<img src=x onerror="a()">&'`, `<img src=x onerror="a()">&'`],
    ["a line break", "Ada\r\nBcc: eve@example.com", "Ada Bcc: eve@example.com"],
    ["separators of lines and paragraphs", "Ada\u2028and\u2029Eve", "Ada and Eve"],
    ["a new paragraph with a link", "Ada\n\n[Pay](https://evil)\n\n", "Ada [Pay](https://evil)"],
    ["text that turns its direction", "Ada\u202egnp.exe", "Ada gnp.exe"],
    ["a placeholder", "{{link}}", "{{link}}"],
    ["a pattern of replacements", "$& $1 $$", "$& $1 $$"],
    ["letters of all scripts", "Ædåöß 日本 👩‍👩‍👧", "Ædåöß 日本 👩‍👩‍👧"],
  ])("keeps %s as text", (_what, who, shown) => {
    const { subject, text, html } = fillTemplate(template, { ...values, who })
    expect(subject).toBe(`${shown} invites you`)
    expect(text.split("\n")[0]).toBe(`Hello ${shown}, welcome.`)
    expect(html).toContain(`<p>Hello ${Bun.escapeHTML(shown)}, welcome.</p>`)
    expect(html.match(/<[a-z]+/g)).toEqual(fillTemplate(template, values).html.match(/<[a-z]+/g))
  })

  test("refuses a name that has no value", () => {
    const { link, ...others } = values
    expect(() => fillTemplate(template, others)).toThrow("no value for link")
    expect(() => fillTemplate({ subject: "", body: "{{constructor}}" }, values)).toThrow()
  })
})

test.each(Mail.anyOf.map(({ properties }) => [properties.template.const, properties] as const))(
  "the template %s names only what its mail has",
  (name, { values }) => {
    const fields = Object.keys(values.properties).map(field => [field, `(${field})`])
    const { subject, text } = fillTemplate(TEMPLATES[name], {
      ...Object.fromEntries(fields),
      link: "(link)",
      unsubscribe_url: "(unsubscribe)",
    })
    expect(subject).not.toBe("")
    expect(text).toContain("(link)")
  },
)
