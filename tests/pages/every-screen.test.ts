import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import type { Browser } from "playwright-core"
import type { ScreenName } from "../../web/screens"
import { launchBrowser } from "../support/browser"
import { addressOf, names, sessionFor } from "./addresses"
import { prepareAxe, settled } from "./checks"
import { inspect, onlyFilled } from "./inspect"
import { lostFocusOf } from "./keyboard"
import { publicPathOf } from "./public-paths"
import { fullScene, newEmptyScene, type Scene } from "./scenes"
import { describeInBrowser, newVisit, type Visit } from "./visit"

setDefaultTimeout(60_000)

/** Pages that need no session, and one that does not exist. */
const PUBLIC = ["/sign-in", "/sign-up", "/invitation?token=none", "/no-such-page"]
/** Public pages with something of the API in them, by name. */
const FORMS = ["invitation", "join"]
const STATES = ["full", "empty", "error"] as const
type State = (typeof STATES)[number]
/** Chromium reports each refusal of the API as an error. */
const REFUSAL = /^console: Failed to load resource: the server responded with a status of/

describeInBrowser("every screen", () => {
  let browser: Browser
  let full: Scene
  let empty: Awaited<ReturnType<typeof newEmptyScene>>
  const visits = new Map<string, Visit>()

  beforeAll(async () => {
    browser = await launchBrowser()
    full = await fullScene()
    empty = await newEmptyScene()
  }, 60_000)
  afterAll(() => browser?.close())

  /** One context for each state and person, kept from screen to screen. */
  async function visitOf(key: string, session?: string): Promise<Visit> {
    const known = visits.get(key)
    if (known) return known
    const visit = await newVisit(browser, { session })
    await prepareAxe(visit.page)
    if (key.startsWith("error")) await failReads(visit)
    visits.set(key, visit)
    return visit
  }

  const screens = names.flatMap(name => STATES.map((state): [ScreenName, State] => [name, state]))
  test.each(screens)("%s, %s: accessible, laid out, and within the policy", async (name, state) => {
    const scene = state === "empty" ? empty : full
    const session = sessionFor(name, scene)
    const { page, open, troubles } = await visitOf(`${state} ${session}`, session)
    troubles.length = 0
    await open(addressOf(name, scene))
    await settled(page)

    const found = await inspect(page)
    if (state === "full") found.keyboard = await lostFocusOf(page)
    found.troubles = troubles.filter(line => state === "full" || !REFUSAL.test(line))
    expect(onlyFilled(found)).toEqual({})
  })

  test.each([...PUBLIC, ...FORMS])(
    "%s: accessible, laid out, and within the policy",
    async name => {
      const path = FORMS.includes(name) ? await publicPathOf(name) : name
      const { page, open, troubles } = await visitOf("everyone")
      troubles.length = 0
      await open(path)
      const found = await inspect(page)
      found.keyboard = await lostFocusOf(page)
      found.troubles = troubles.filter(line => !REFUSAL.test(line))
      expect(onlyFilled(found)).toEqual({})
    },
  )
})

/** Every read fails except those that say who is signed in and where. */
const failReads = ({ page }: Visit) =>
  page.route(/\/api\/(?!auth\/session|advertiser\/affiliate-programs\/\d+$)/, route =>
    route.fulfill({
      status: 500,
      headers: { "x-request-id": crypto.randomUUID() },
      json: { error: "The server could not read this. Nothing was changed." },
    }),
  )
