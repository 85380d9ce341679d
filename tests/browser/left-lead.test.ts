import { beforeAll, describe, expect, test } from "bun:test"
import { newPartner, newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { openShop } from "./shop"
import { cookiesOf, describeInBrowser, useBrowser, type Visitor, visit } from "./visitor"

const MINUTE_MS = 60_000

/** Makes calls of a kind never answer, as on a bad connection. */
const neverAnswered = (kind: string) => `<script>
  const realFetch = fetch
  fetch = (url, init) => url.endsWith("/${kind}") ? new Promise(() => {}) : realFetch(url, init)
</script>`

const unreachable = (kind: string) => `<script>
  const realFetch = fetch
  fetch = (url, init) => url.endsWith("/${kind}") ? Promise.reject("gone") : realFetch(url, init)
</script>`

const SIGN_UP = `<script>
  window.serviceTrackerQueue = [["signup", "left", "left@shop.example"]]
</script>`

describeInBrowser("a lead that the page leaves behind", () => {
  const newVisitor = useBrowser()
  const shop = openShop()
  let program: TestProgram
  let tag: string
  beforeAll(async () => {
    program = await newProgram()
    tag = `data-program-id="${program.program_id}"`
  })

  /** Opens a landing page and leaves it before its click or lead is answered. */
  async function leave(visitor: Visitor, before: string) {
    const url = `${shop({ tag, before: before + SIGN_UP })}?aff=${program.code}`
    await visitor.page.goto(url)
    await visitor.page.waitForFunction(() => window.serviceTracker)
    await visitor.page.waitForFunction(() => sessionStorage.service_leads)
    return url
  }

  test.each([
    ["was never answered", neverAnswered("click")],
    ["did not reach the gateway", unreachable("click")],
  ])("is sent by the next page, after its click if that %s", async (_why, before) => {
    const visitor = await newVisitor()
    const url = await leave(visitor, before)
    expect(visitor.calls).toEqual([])

    await visit(visitor, shop({ tag }))
    await callsAre(visitor, ["click", "lead"])
    const [click, lead] = visitor.calls
    expect(click!.body).toMatchObject({ affiliate_url: url, page_url: url, referrer_url: "" })
    const { service_click_id } = await cookiesOf(visitor)
    expect(lead!.body).toMatchObject({
      click_id: service_click_id!.value,
      customer_key: "left",
      email: "left@shop.example",
    })
    await expectEvents(service_click_id!.value, ["lead", "click"])

    await visit(visitor, shop({ tag }))
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    await callsAre(visitor, ["click", "lead"]) // once
    expect(await visitor.page.evaluate(() => sessionStorage.service_leads)).toBeUndefined()
    expect(visitor.errors).toEqual([])
  })

  test("is sent without a click where that had been answered", async () => {
    const visitor = await newVisitor()
    await leave(visitor, unreachable("lead"))
    await callsAre(visitor, ["click"])
    await visitor.page.waitForFunction(() => document.cookie.includes("service_click_id"))
    await visit(visitor, shop({ tag }))
    await callsAre(visitor, ["click", "lead"])
    const { service_click_id } = await cookiesOf(visitor)
    expect(visitor.calls[1]!.body).toMatchObject({ click_id: service_click_id!.value })
  })

  test("has its click sent before that of the next page", async () => {
    const visitor = await newVisitor()
    const url = await leave(visitor, neverAnswered("click"))
    const { code } = await newPartner(program)
    await visit(visitor, `${shop({ tag })}?aff=${code}`)
    await callsOfKind(visitor, "lead", 1)

    const [first, second] = await callsOfKind(visitor, "click", 2)
    expect(first!.body.affiliate_url).toBe(url)
    const { service_click_id, service_aff } = await cookiesOf(visitor)
    expect(second!.body.existing_click_id).toBe(service_click_id!.value)
    expect(service_aff!.value).toBe(code)
  })

  test("is dropped after 30 minutes, and kept until then", async () => {
    const visitor = await newVisitor()
    await leave(visitor, neverAnswered("click"))
    await age(visitor, 31 * MINUTE_MS)
    await visit(visitor, shop({ tag }))
    await Bun.sleep(200)
    expect(visitor.calls).toEqual([])

    const patient = await newVisitor()
    await leave(patient, neverAnswered("click"))
    await age(patient, 29 * MINUTE_MS)
    await visit(patient, shop({ tag }))
    await callsAre(patient, ["click", "lead"])
  })

  test("is not stored for a visitor without attribution", async () => {
    const visitor = await newVisitor()
    await visit(visitor, shop({ tag, before: SIGN_UP }))
    expect(await visitor.page.evaluate(() => sessionStorage.service_leads)).toBeUndefined()
    expect(visitor.calls).toEqual([])
  })

  describe("does no harm", () => {
    test.each(["{", "null", "5", "[null]", `[{"since":9e15,"visit":5}]`])(
      "when the stored text is %s",
      async stored => {
        const visitor = await newVisitor()
        await visitor.page.goto(shop({ tag }))
        await visitor.page.evaluate(text => {
          sessionStorage.service_leads = text
        }, stored)
        await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
        expect((await cookiesOf(visitor)).service_aff!.value).toBe(program.code)
        expect(visitor.errors).toEqual([])
      },
    )
  })

  /** Expects the events of a customer, the last of which may still be under way. */
  async function expectEvents(click_id: string, types: string[]) {
    const path = `/api/tracking/events/${program.program_id}?pageSize=100`
    type Event = { click_id: string; event_type: string }
    for (let tries = 0; ; tries++) {
      const { body } = await send("GET", path, { token: program.session })
      const events = body.data.filter((event: Event) => event.click_id === click_id)
      if (events.length < types.length && tries < 50) await Bun.sleep(50)
      else return expect(events.map((event: Event) => event.event_type)).toEqual(types)
    }
  }
})

async function callsOfKind(visitor: Visitor, kind: string, count: number) {
  const made = () => visitor.calls.filter(({ path }) => path.endsWith(kind))
  for (let tries = 0; tries < 100 && made().length < count; tries++) await Bun.sleep(20)
  expect(made()).toHaveLength(count)
  return made()
}

/** Waits for the calls, in this order, and that no other follows. */
async function callsAre(visitor: Visitor, kinds: string[]) {
  const made = () => visitor.calls.map(({ path }) => path.split("/").at(-1))
  for (let tries = 0; tries < 100 && made().length < kinds.length; tries++) await Bun.sleep(20)
  await Bun.sleep(100)
  expect(made()).toEqual(kinds)
}

/** Makes the lead that the visitor's tab keeps this much older. */
const age = ({ page }: Visitor, ms: number) =>
  page.evaluate(ms => {
    const leads = JSON.parse(sessionStorage.service_leads)
    for (const lead of leads) lead.since -= ms
    sessionStorage.service_leads = JSON.stringify(leads)
  }, ms)
