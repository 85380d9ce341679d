import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { OWN, openTrackedShop, type TrackedShop } from "../../support/tracked-shop"
import { parametersOf } from "../../support/tracker"

let world: TrackedShop
beforeAll(async () => {
  world = await openTrackedShop()
}, 60_000)
afterAll(() => world.tracker.stop())

describe("a partner's tracker", () => {
  test("hears of each step of a sale, once", async () => {
    const { tracker, shop, account, code, buy } = world
    const template =
      "?cid={partner_click_id}&s2={sub2}&s1={sub1}&e={event}&st={status}&pay={payout}" +
      "&cur={currency}&tid={commission_id}&order={transaction_id}&sum={sale_amount}&r={random}" +
      "&ref={click_ref}&ev={event_id}&link={link_code}&p={partner_id}&o={program_id}"
    const postback = await world.newPostback(OWN, account, `/steps${template}`)
    const sale = await buy({ query: "&pcid=their%20click%2F1&sub1=mail&sub2=x%26y%3D1" })
    await tracker.until(2, "/steps")
    await sale.settle("approve")
    await tracker.until(3, "/steps")
    await sale.settle("mark-paid")
    await tracker.until(4, "/steps")
    await shop.track("refund", { transaction_id: sale.transaction_id, refund_amount_cents: 999 })
    await postback.settled(5)

    const received = tracker.at("/steps")
    expect(received).toHaveLength(5)
    const all = received.map(parametersOf)
    const common = { cid: "their click/1", s1: "mail", s2: "x&y=1", link: code }
    const ids = { p: `${shop.partner_id}`, o: `${shop.program_id}`, order: "", sum: "" }
    const commission = { cur: "USD", tid: `${sale.commission_id}` }
    const expected = [
      { e: "lead", st: "", pay: "", cur: "", tid: "" },
      { e: "sale", st: "pending", pay: "15.00", ...commission },
      { e: "approved", st: "approved", pay: "15.00", ...commission },
      { e: "paid", st: "paid", pay: "15.00", ...commission },
      { e: "refunded", st: "reversed", pay: "12.00", ...commission },
    ]
    for (const each of expected) {
      const one = all.find(({ e }) => e === each.e)
      expect(one).toEqual({
        ...{ ...common, ...ids, ...each },
        ...{ r: expect.stringMatching(/^[0-9a-f]{16}$/), ref: all[0]!.ref! },
        ev: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      })
    }
    expect(new Set(all.map(({ r }) => r)).size).toBe(5)
    expect(new Set(all.map(({ ev }) => ev)).size).toBe(5)
    expect(received.every(({ method, body }) => method === "GET" && body === "")).toBe(true)
    expect(received[0]!.headers.get("user-agent")).toBe("Tributary-Postbacks/1")
    await postback.remove()
  })

  test("hears nothing of other partners, nor after the account was unbound", async () => {
    const { tracker, session, bind, ofPartner, ofProgram, buy } = world
    const other = await world.newPartner()
    const account = await bind(other.partner_id)
    const events = { events: ["sale"] }
    const own = await world.newPostback(OWN, account, "/other?p={partner_id}", events)
    const route = ofPartner(other.partner_id)
    const setUp = await world.newPostback(route, session, "/set-up?p={pid}", events)
    const all = await world.newPostback(ofProgram, session, "/all?p={pid}&t={order_id}", events)
    const first = await buy()
    const second = await buy({ code: other.code })
    await own.settled(1)
    await world.call(session, "DELETE", route.replace("postbacks", "account"))
    const third = await buy({ code: other.code })
    await all.settled(3)
    await setUp.settled(2)

    const partnersAt = (path: string) => tracker.at(path).map(one => parametersOf(one).p)
    expect(partnersAt("/other")).toEqual([`${other.partner_id}`])
    expect(partnersAt("/set-up")).toEqual(Array(2).fill(`${other.partner_id}`))
    const orders = tracker.at("/all").map(one => parametersOf(one).t!)
    expect(orders.toSorted()).toEqual(
      [first, second, third].map(({ transaction_id }) => transaction_id).toSorted(),
    )
    for (const each of [own, setUp, all]) await each.remove()
  })

  test("hears what was bought only if the program shares it, from then on", async () => {
    const { tracker, session, account, ofPartner, ofProgram, put, buy } = world
    const events = { events: ["sale"] }
    const query = "?a={amount}&t={transaction_id}"
    const postbacks = [
      await world.newPostback(OWN, account, `/shared/own${query}`, events),
      await world.newPostback(ofPartner(), session, `/shared/partner${query}`, events),
      await world.newPostback(ofProgram, session, `/shared/program${query}`, events),
    ]
    const sold = async () => {
      const { transaction_id: t } = await buy()
      return t
    }
    const hidden = await sold()
    for (const each of postbacks) await each.settled(1)
    await put({ share_sale_amount: true })
    const shared = await sold()
    for (const each of postbacks) await each.settled(2)
    await put({ share_sale_amount: false })

    const receivedAt = (path: string) => tracker.at(`/shared/${path}`).map(parametersOf)
    for (const path of ["own", "partner"]) {
      expect(receivedAt(path)).toEqual([
        { a: "", t: "" },
        { a: "49.99", t: shared },
      ])
    }
    expect(receivedAt("program")).toEqual([
      { a: "", t: hidden },
      { a: "49.99", t: shared },
    ])
    for (const each of postbacks) await each.remove()
  })
})

test("B1: no postback has a click_id, a customer key or an e-mail address", async () => {
  const { tracker, system, session, account, ofPartner, ofProgram, buy } = world
  const { macros } = (await system.request("GET", "/api/postback-macros")).body.data
  const every = macros.map(({ name }: { name: string }) => `${name}={${name}}`).join("&")
  const form = { method: "POST", body: { type: "form", template: every } }
  const postbacks = [
    await world.newPostback(OWN, account, `/every/own?${every}`, form),
    await world.newPostback(ofPartner(), session, `/every/partner?${every}`, form),
    await world.newPostback(ofProgram, session, `/every/program?${every}`, form),
  ]
  const customer_key = `secret-key-${Date.now()}`
  const email = `secret-${Date.now()}@mail.example`
  const sale = await buy({ query: "&pcid=c1", customer_key, email })
  await sale.settle("approve")
  for (const each of postbacks) await each.settled(3)
  const received = tracker.at("/every")
  expect(received).toHaveLength(9)
  for (const { path, body, headers } of received) {
    const all = decodeURIComponent([path, body, ...headers.values()].join("\n"))
    for (const secret of [sale.click_id, customer_key, email, "secret", "people.example"]) {
      expect(all).not.toContain(secret)
    }
    expect(all).toContain("partner_click_id=c1")
    if (!path.startsWith("/every/program")) expect(all).not.toContain(sale.transaction_id)
  }
  for (const each of postbacks) await each.remove()
})

test("B2: a value adds no parameter, path segment, host or header", async () => {
  const { tracker, session, ofPartner, buy } = world
  const hostile = "a&b=1#/../%2e%2e/@evil.example\r\nX-Evil: 1?{payout}"
  const template = "/{sub1}/end?a={partner_click_id}&z=1"
  const events = { events: ["sale"] }
  const postback = await world.newPostback(ofPartner(), session, `/hostile${template}`, events)
  const value = encodeURIComponent(hostile)
  await buy({ query: `&sub1=${value}&pcid=${value}` })
  const [one] = await tracker.until(1, "/hostile")
  const { pathname, searchParams } = new URL(one!.path, tracker.url)
  expect(pathname.split("/").map(decodeURIComponent)).toEqual(["", "hostile", hostile, "end"])
  expect([...searchParams]).toEqual([
    ["a", hostile],
    ["z", "1"],
  ])
  expect(one!.headers.get("x-evil")).toBeNull()
  await postback.remove()
})

test("a customer who is erased is in no later attempt", async () => {
  const { tracker, shop, session, ofPartner, buy } = world
  const postback = await world.newPostback(
    ofPartner(),
    session,
    "/erased?c={partner_click_id}&t={tid}",
    { events: ["approved"] },
  )
  const sale = await buy({ query: "&pcid=visitor-7" })
  await shop.manage("DELETE", `/customers/${sale.customer_key}`)
  await sale.settle("approve")
  const [one] = await tracker.until(1, "/erased")
  expect(parametersOf(one!)).toEqual({ c: "", t: `${sale.commission_id}` })
  await postback.remove()
})
