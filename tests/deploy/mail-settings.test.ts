import { expect, test } from "bun:test"
import { launch } from "../support/launcher"

const PASSWORD = "canary-of-the-mail-server"
const SMTP_URL = `smtp://post:${PASSWORD}@mail.example.com`
const MAIL_FROM = "Shop <mail@shop.example>"
const PUBLIC_URL = "https://tributary.example"

test.each([
  [
    "SMTP_URL must be a URL like smtp://user:password@mail.example.com:587.",
    { SMTP_URL: `https://post:${PASSWORD}@mail.example.com`, MAIL_FROM, PUBLIC_URL },
  ],
  [
    "SMTP_URL must be a URL like smtp://user:password@mail.example.com:587.",
    { SMTP_URL: `smtp:${PASSWORD}`, MAIL_FROM, PUBLIC_URL },
  ],
  [
    "SMTP_URL must be a URL like smtp://user:password@mail.example.com:587.",
    { SMTP_URL: `smtp://post:${PASSWORD}%zz@mail.example.com`, MAIL_FROM, PUBLIC_URL },
  ],
  ["Set MAIL_FROM: with SMTP_URL mails are sent, and they need it.", { SMTP_URL, PUBLIC_URL }],
  ["Set PUBLIC_URL: with SMTP_URL mails are sent, and they need it.", { SMTP_URL, MAIL_FROM }],
  ...[
    "Shop",
    "mail@shop.example\nBcc: eve@example.com",
    "<mail@shop.example",
    "a <b> c@d.example",
  ].map((from): [string, Record<string, string>] => [
    `MAIL_FROM must be an address like Shop <mail@shop.example>, not "${from}".`,
    { SMTP_URL, MAIL_FROM: from, PUBLIC_URL },
  ]),
])("refused with one sentence: %s", async (sentence, environment) => {
  const launcher = await launch(environment)
  expect(await launcher.ended).toBe(1)
  expect(launcher.output()).toEndWith(`${sentence}\n`)
  expect(launcher.output()).not.toContain(PASSWORD)
})
