import { succeedingClient } from "../../tests/support/http"
import { startReceiver } from "../../tests/support/webhook-receiver"
import { startSystem } from "../system"

const ENDPOINTS = "/api/advertiser/webhook-endpoints"
const PROGRAMS = "/api/advertiser/affiliate-programs"

export type Bench = Parameters<Parameters<typeof withSystem>[0]>[0]
export type Workspace = Awaited<ReturnType<Bench["newWorkspace"]>>

/** Starts a system that may send to a receiver in this process, lets `work` use it, and stops it. */
export async function withSystem<Result>(
  work: (bench: Awaited<ReturnType<typeof open>>) => Promise<Result>,
): Promise<Result> {
  const bench = await open()
  try {
    return await work(bench)
  } finally {
    await bench.system.stop()
    bench.receiver.stop()
  }
}

async function open() {
  const receiver = await startReceiver()
  const environment = {
    ...receiver.environment,
    DELIVERY_PRIVATE_NETWORKS: "127.66.0.0/16",
    LOG_LEVEL: "fatal", // what waits for `pauseDelivery` fails
  }
  const system = await startSystem(environment)
  const client = succeedingClient(system.url)

  /** A workspace with a program, and endpoints for all events, each at a host of its own. */
  async function newWorkspace(name: string, paths: string[]) {
    const account = { email: `${name}@example.com`, password: "correct horse battery", name }
    const { token } = await client("POST", "/api/auth/sign-up", { body: account })
    const body = { name, website_url: "https://shop.example" }
    const { id, api_token } = await client("POST", PROGRAMS, { token, body })
    for (const path of paths) {
      const url = receiver.url(path, ++hosts)
      await client("POST", ENDPOINTS, { token, body: { url, events: ["*"] } })
    }
    return { program_id: id as number, api_token: api_token as string, session: token as string }
  }
  let hosts = 0

  /** Adds events to identity's feed, as if so many changes of each program had been made. */
  const happen = (program_ids: number[], times: number) => system.sql`
    insert into identity.outgoing_events (program_id, type, data)
    select
      program_id,
      'program.updated',
      jsonb_build_object('id', program_id, 'text', repeat('x', 500))
    from generate_series(1, ${times}::int)
    cross join unnest(${program_ids}::bigint[]) as program_id
  `

  return { system, receiver, environment, client, newWorkspace, happen }
}

/** Lets delivery do nothing until the function that is returned was called: what it needs is locked. */
export async function pauseDelivery({ system: { sql } }: Bench) {
  const [locked, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = sql.begin(async sql => {
    await sql`lock table delivery.cursors, delivery.leases in access exclusive mode`
    locked.resolve()
    await resumed.promise
  })
  holding.catch(locked.reject)
  await locked.promise
  return () => {
    resumed.resolve()
    return holding
  }
}

/** Waits until delivery has published all events. */
export async function untilPublished({ system: { sql } }: Bench) {
  for (;;) {
    const [{ waiting }] = await sql<[{ waiting: boolean }]>`
      select exists (
        select
        from (
          select event_key from identity.outgoing_events
          union all
          select event_key from tracking.outgoing_events
          union all
          select event_key from commissions.outgoing_events
        ) as written
        where not exists (
          select
          from delivery.events
          where events.event_key = written.event_key
            and published_at is not null
        )
      ) as waiting
    `
    if (!waiting) return
    await Bun.sleep(100)
  }
}
