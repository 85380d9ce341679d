import { serve } from "../../lib/bus/bus"
import { secretKey } from "../../lib/config"
import { migrate } from "../../lib/db/migrate"
import { closePool, warmPool } from "../../lib/db/pool"
import { healthHandler } from "../../lib/health"
import { every } from "../../lib/timer"
import { bookOperations } from "./books/operations"
import { clock } from "./clock"
import * as contract from "./contract"
import { feeds_sql, sql } from "./db"
import { keepDelivering } from "./deliveries/deliver"
import { disableFailing } from "./deliveries/disable-endpoints"
import { listDeliveries } from "./deliveries/list-deliveries"
import { forgetReceiver, pruneOwnEvents } from "./deliveries/prune-deliveries"
import { replayDeliveries, replayDelivery } from "./deliveries/replay-deliveries"
import { showDelivery } from "./deliveries/show-delivery"
import { testEndpoint } from "./deliveries/test-endpoint"
import { createEndpoint } from "./endpoints/create-endpoint"
import { deleteEndpoint } from "./endpoints/delete-endpoint"
import { disableEndpoint } from "./endpoints/disable-endpoint"
import { enableEndpoint } from "./endpoints/enable-endpoint"
import { listEndpoints } from "./endpoints/list-endpoints"
import { rotateSecret } from "./endpoints/rotate-secret"
import { deleteEndedSecrets } from "./endpoints/secrets"
import { showEndpoint } from "./endpoints/show-endpoint"
import { updateEndpoint } from "./endpoints/update-endpoint"
import { findProblems, keepCaughtUp } from "./events/event-feeds"
import { listEventLog } from "./events/list-event-log"
import { pruneEvents } from "./events/prune-events"
import { publishEvents } from "./events/publish-events"
import { registerUnpublishedMetrics } from "./events/unpublished-events"
import { feedAuditEntries } from "./feeds"
import { registerMailMetrics } from "./mail/backlog"
import { expireMails } from "./mail/expire-mails"
import { listOutbox } from "./mail/list-outbox"
import { pruneMails } from "./mail/prune-mails"
import { queueMails } from "./mail/queue-mails"
import { keepSendingMails } from "./mail/send-mails"
import { addressNotices } from "./notices/address-notices"
import { mailNotices } from "./notices/mail-notices"
import { pruneNotices } from "./notices/prune-notices"
import { whenReachable } from "./notices/when-reachable"
import { listPostbackDeliveries } from "./postback-deliveries/list-postback-deliveries"
import { replayPostback, replayPostbackDelivery } from "./postback-deliveries/replay-postback"
import { showPostbackDelivery } from "./postback-deliveries/show-postback-delivery"
import { testPostback } from "./postback-deliveries/test-postback"
import { createPostback } from "./postbacks/create-postback"
import { deletePostback } from "./postbacks/delete-postback"
import { listPostbacks } from "./postbacks/list-postbacks"
import { queuePostbacks } from "./postbacks/queue-postbacks"
import { showPostback } from "./postbacks/show-postback"
import { updatePostback } from "./postbacks/update-postback"
import { watchQueue } from "./queue/queue-age"
import { skipUnwanted } from "./queue/skip-unwanted"
import { showReferences } from "./references"

const CATCH_UP_PAUSE_MS = 5_000 // publishing catches up by itself
const PUBLISH_PAUSE_MS = 250
const CLOCK_PAUSE_MS = 10_000
const POSTBACKS_PAUSE_MS = 500
const SKIP_PAUSE_MS = 1_000
const MINUTE_MS = 60_000
const MAIL_PAUSE_MS = 1_000
const GIVE_UP_PAUSE_MS = 10_000
const HOUR_MS = 3_600_000

/** Starts the service that tells others outside what has happened. It alone connects to the Internet. */
export async function start() {
  secretKey() // a process that could not open its secrets must not start
  await migrate("delivery", `${import.meta.dir}/migrations`)
  await Promise.all([sql, feeds_sql].map(warmPool))
  await serve("delivery", contract, {
    showReferences,
    feedAuditEntries,
    createEndpoint,
    listEndpoints,
    showEndpoint,
    updateEndpoint,
    deleteEndpoint,
    enableEndpoint,
    disableEndpoint,
    rotateSecret,
    testEndpoint,
    listDeliveries,
    showDelivery,
    replayDelivery,
    replayDeliveries,
    createPostback,
    listPostbacks,
    showPostback,
    updatePostback,
    deletePostback,
    listEventLog,
    queueMails,
    listOutbox,
    testPostback,
    listPostbackDeliveries,
    showPostbackDelivery,
    replayPostbackDelivery,
    replayPostback,
    ...bookOperations,
    showHealth: healthHandler(sql, undefined, clock.findProblems, findProblems),
  })
  registerUnpublishedMetrics()
  registerMailMetrics()
  watchQueue()
  const stops = [
    keepDelivering(),
    keepCaughtUp(CATCH_UP_PAUSE_MS),
    every(PUBLISH_PAUSE_MS, "Publishing events", publishEvents),
    every(CLOCK_PAUSE_MS, "Watching the clock", clock.look),
    every(MINUTE_MS, "Deleting old events", pruneEvents),
    every(HOUR_MS, "Deleting ended webhook secrets", deleteEndedSecrets),
    every(POSTBACKS_PAUSE_MS, "Queueing postbacks", queuePostbacks),
    every(SKIP_PAUSE_MS, "Skipping unwanted deliveries", skipUnwanted),
    every(SKIP_PAUSE_MS, "Deleting deliveries of deleted receivers", forgetReceiver),
    every(MINUTE_MS, "Disabling failing receivers", disableFailing),
    every(HOUR_MS, "Deleting old tests of endpoints", pruneOwnEvents),
    keepSendingMails(),
    every(GIVE_UP_PAUSE_MS, "Giving up mails", expireMails),
    every(MINUTE_MS, "Deleting old mails", pruneMails),
    every(MAIL_PAUSE_MS, "Addressing notices", whenReachable(addressNotices)),
    every(MAIL_PAUSE_MS, "Mailing notices", whenReachable(mailNotices)),
    every(MINUTE_MS, "Deleting old notices", pruneNotices),
  ]

  return async () => {
    await Promise.all(stops.map(stop => stop()))
    await Promise.all([sql, feeds_sql].map(closePool))
  }
}
