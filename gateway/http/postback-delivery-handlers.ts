import type { Static } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import type { Page } from "../../lib/fields"
import { currentContext, withContext } from "../../lib/request-context"
import { FIRST_TIME, LAST_TIME, parseTime } from "../../lib/time"
import {
  listPostbackDeliveries,
  type PostbackDeliveryDetails,
  type PostbackDeliveryKey,
  type PostbackDeliveryQuery,
  type PostbackKey,
  type PostbackReplay,
  type PostbackTest,
  replayPostback,
  replayPostbackDelivery,
  testPostback,
} from "../../services/delivery/contract"
import { listOf, wholePage } from "./list"

type Key = { key: PostbackKey }
type List = Key & { query: Static<typeof PostbackDeliveryQuery>; page: Page }

/** What the routes of postbacks' deliveries do, whose ever the postbacks are. */
export const postbackDeliveryHandlers = {
  async test({ key, body }: Key & { body: Static<typeof PostbackTest> }) {
    const patient = { ...currentContext(), deadline: Date.now() + TEST_MS }
    const test = () => call(testPostback, { ...key, ...body }, TEST_MS)
    return { data: await withContext(patient, test) }
  },
  async list({ key, query: { since, until, ...query }, page }: List) {
    const from = since ? parseTime("since", since, "first") : FIRST_TIME
    const to = until ? parseTime("until", until, "last") : LAST_TIME
    const { rows, total } = await wholePage(page, slice =>
      call(listPostbackDeliveries, { ...key, ...query, from, to, slice }),
    )
    return listOf(rows, total, page)
  },
  show: ({ delivery }: { delivery: PostbackDeliveryDetails }) => ({ data: delivery }),
  async replayOne({ delivery_key }: { delivery_key: PostbackDeliveryKey }) {
    return { data: await call(replayPostbackDelivery, delivery_key, REPLAY_MS) }
  },
  async replay({ key, body }: Key & { body: Static<typeof PostbackReplay> }) {
    return { data: await call(replayPostback, { ...key, ...body }, REPLAY_MS) }
  },
}

const TEST_MS = 18_000 // the receiver has 15 s
const REPLAY_MS = 4_000 // of up to 50,000 deliveries
