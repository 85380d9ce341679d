import { beforeAll, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { openShop } from "./shop"
import { cookiesOf, describeInBrowser, useBrowser, type Visitor, visit } from "./visitor"

const FORM = `
  <form id="join" action="/thanks" method="post">
    <input type="hidden" name="user[id]" value="ada">
    <input type="email" name="mail" value="ada@example.com">
    <button>Join</button>
  </form>
`
const FORM_TAG = `data-lead-form="#join" data-customer-key-field="user[id]"`

const CLICK_NEVER_ANSWERED = `<script>
  const realFetch = fetch
  fetch = (url, init) => url.endsWith("/click") ? new Promise(() => {}) : realFetch(url, init)
</script>`

describeInBrowser("service-tracker.js on a sign-up", () => {
  const newVisitor = useBrowser()
  const shop = openShop()
  let program: TestProgram
  let tag: string
  beforeAll(async () => {
    program = await newProgram()
    tag = `data-program-id="${program.program_id}"`
  })

  test("leads from a click to a sale with its commission", async () => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    await visit(visitor, shop({ tag }))
    const reply = await visitor.page.evaluate(() => window.serviceTracker!.signup("eve", "e@x.org"))
    expect(reply).toMatchObject({ success: true, message: expect.any(String) })

    const transaction_id = crypto.randomUUID()
    const sale = JSON.stringify({ token: program.api_token, transaction_id, amount_cents: 4_999 })
    const sold = await visitor.page.evaluate(async body => {
      return (await fetch("/checkout", { method: "POST", body })).json()
    }, sale)
    expect(sold).toMatchObject({
      status: 200,
      body: { success: true, sale_id: expect.any(Number), commission_id: expect.any(Number) },
    })

    const { service_click_id } = await cookiesOf(visitor)
    const events = await eventsOf(service_click_id!.value)
    expect(events.map(event => event.event_type)).toEqual(["conversion", "lead", "click"])
    expect(events[1]).toMatchObject({ customer_key: "eve" })
  })

  test("sends the lead of a form that leaves the page", async () => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag: `${tag} ${FORM_TAG}`, body: FORM })}?aff=${program.code}`)
    const { service_click_id } = await cookiesOf(visitor)
    await Promise.all([visitor.page.waitForURL("**/thanks"), visitor.page.click("button")])

    expect(leadsOf(visitor)).toMatchObject([
      { click_id: service_click_id!.value, customer_key: "ada", email: "ada@example.com" },
    ])
    expect(await recordedLead(service_click_id!.value)).toMatchObject({ customer_key: "ada" })
  })

  test("sends the lead of a form that was added later and stays on the page", async () => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag: `${tag} ${FORM_TAG}` })}?aff=${program.code}`)
    const form = FORM.replace(`"ada"`, `"late"`).replace("<button>", `<input name="matches">$&`)
    await visitor.page.evaluate(html => {
      document.body.insertAdjacentHTML("beforeend", html)
      document.querySelector("form")!.onsubmit = event => {
        event.preventDefault()
        event.stopPropagation()
      }
    }, form)
    await visitor.page.click("button")
    const { service_click_id } = await cookiesOf(visitor)
    expect(await recordedLead(service_click_id!.value)).toMatchObject({ customer_key: "late" })
  })

  test("leaves other forms alone", async () => {
    const visitor = await newVisitor()
    const body = FORM.replace("join", "search")
    await visit(visitor, `${shop({ tag: `${tag} ${FORM_TAG}`, body })}?aff=${program.code}`)
    await Promise.all([visitor.page.waitForURL("**/thanks"), visitor.page.click("button")])
    expect(leadsOf(visitor)).toEqual([])
  })

  test("waits for a pending click", async () => {
    const visitor = await newVisitor()
    const before = `<script>
      window.serviceTrackerQueue = [["signup", "quick", "quick@example.com"], ["nonsense"], null]
    </script>`
    await visit(visitor, `${shop({ tag, before })}?aff=${program.code}`)
    const { service_click_id } = await cookiesOf(visitor)
    expect(await recordedLead(service_click_id!.value)).toMatchObject({ customer_key: "quick" })

    await visitor.page.evaluate(() => window.serviceTrackerQueue!.push(["signup", "quick"]))
    expect(visitor.calls.map(call => call.path.split("/").pop())).toEqual(["click", "lead", "lead"])
    expect(visitor.errors).toEqual([])
  })

  test("does not wait for the click when the page is left", async () => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    const { service_click_id } = await cookiesOf(visitor)

    const body = FORM.replace(`"ada"`, `"hasty"`)
    const hasty = shop({ tag: `${tag} ${FORM_TAG}`, before: CLICK_NEVER_ANSWERED, body })
    await visitor.page.goto(`${hasty}?aff=another`)
    await visitor.page.waitForFunction(() => window.serviceTracker)
    await Promise.all([visitor.page.waitForURL("**/thanks"), visitor.page.click("button")])
    expect(await recordedLead(service_click_id!.value)).toMatchObject({ customer_key: "hasty" })
  })

  test("sends nothing for a visitor without attribution", async () => {
    const visitor = await newVisitor()
    await visit(visitor, shop({ tag }))
    const reply = await visitor.page.evaluate(() => window.serviceTracker!.signup("bob", "b@x.org"))
    expect(reply).toEqual({ success: false, error: expect.any(String) })
    expect(visitor.calls).toEqual([])
  })

  test("sends test leads in debug mode", async () => {
    const visitor = await newVisitor()
    await visit(visitor, shop({ tag: `${tag} data-debug` }))
    const replies = await visitor.page.evaluate(() =>
      Promise.all([window.serviceTracker!.signup("eve"), window.serviceTracker!.trackTest()]),
    )
    const recorded = { success: true, data: { programId: program.program_id, test_mode: true } }
    expect(replies).toMatchObject([recorded, recorded])
  })

  /** Waits for the lead, which may arrive after the next page has loaded. */
  async function recordedLead(click_id: string) {
    for (let tries = 0; tries < 50; tries++) {
      const lead = (await eventsOf(click_id)).find(event => event.event_type === "lead")
      if (lead) return lead
      await Bun.sleep(50)
    }
  }

  async function eventsOf(click_id: string): Promise<Record<string, unknown>[]> {
    const path = `/api/tracking/events/${program.program_id}?pageSize=100`
    const { body } = await send("GET", path, { token: program.session })
    return body.data.filter((event: { click_id: string }) => event.click_id === click_id)
  }
})

const leadsOf = ({ calls }: Visitor) =>
  calls.filter(call => call.path.endsWith("/lead")).map(call => call.body)
