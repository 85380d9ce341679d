import type { Static } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import { Page } from "../../lib/fields"
import { currentContext, withContext } from "../../lib/request-context"
import { FIRST_TIME, LAST_TIME, parseTime } from "../../lib/time"
import {
  listPostbackDeliveries,
  PostbackDelivery,
  PostbackDeliveryDetails,
  type PostbackDeliveryKey,
  PostbackDeliveryQuery,
  type PostbackKey,
  PostbackReplay,
  PostbackTest,
  Queued,
  replayPostback,
  replayPostbackDelivery,
  TestResult,
  testPostback,
} from "../../services/delivery/contract"
import type { Access } from "./access"
import { Listed, listOf, wholePage } from "./list"
import { type Found, oneDelivery } from "./postback-access"
import { One, route } from "./route"

type Key = { key: PostbackKey }
type List = Key & { query: Static<typeof PostbackDeliveryQuery>; page: Page }

/** The postbacks of one kind of owner: `name` is in the ids of the routes, `owner` in their summaries. */
type Postbacks<Name extends string, Path extends string> = {
  name: Name
  path: Path // of one postback
  owner: string
  reading: Access<Found>
  writing: Access<Found>
}

/** What postbacks have sent, and sending it again (behaviour 12.4.4, 12.4.5). */
export const postbackDeliveryRoutes = <const Name extends string, const Path extends string>({
  name,
  path,
  owner,
  reading,
  writing,
}: Postbacks<Name, Path>) => [
  route(
    {
      id: `test${name}Postback`,
      method: "POST",
      path: `${path}/test`,
      summary: `Test a postback ${owner} with a sample event`,
      description:
        "The sample is sent at once and not retried. The reply comes when the receiver has responded, after at most 15 seconds.",
      access: writing,
      body: PostbackTest,
      mayOmitBody: true,
      answers: { 200: One(TestResult) },
    },
    handlers.test,
  ),
  route(
    {
      id: `list${name}PostbackDeliveries`,
      method: "GET",
      path: `${path}/deliveries`,
      summary: `List the deliveries of a postback ${owner}, newest first`,
      access: reading,
      query: [PostbackDeliveryQuery, Page],
      answers: { 200: Listed(PostbackDelivery) },
    },
    handlers.list,
  ),
  route(
    {
      id: `show${name}PostbackDelivery`,
      method: "GET",
      path: `${path}/deliveries/:deliveryId`,
      summary: `Show a delivery of a postback ${owner}, with its request`,
      access: oneDelivery(reading),
      answers: { 200: One(PostbackDeliveryDetails) },
    },
    handlers.show,
  ),
  route(
    {
      id: `replay${name}PostbackDelivery`,
      method: "POST",
      path: `${path}/deliveries/:deliveryId/replay`,
      summary: `Replay a delivery of a postback ${owner}`,
      access: oneDelivery(writing),
      answers: {
        200: One(Queued),
        409: "The postback is disabled, or no longer sends this type of event.",
      },
    },
    handlers.replayOne,
  ),
  route(
    {
      id: `replay${name}Postback`,
      method: "POST",
      path: `${path}/replay`,
      summary: `Replay the deliveries of a postback ${owner}: those that failed or were skipped, or all`,
      access: writing,
      body: PostbackReplay,
      answers: {
        200: One(Queued),
        409: "The postback is disabled, or there are more than 50,000 deliveries.",
      },
    },
    handlers.replay,
  ),
]

const handlers = {
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
