import { succeedingClient } from "../tests/support/http"
import { never, startReceiver } from "../tests/support/webhook-receiver"
import { type System, startSystem } from "./system"

const ENDPOINTS = "/api/advertiser/webhook-endpoints"
const QUEUED = 20_000
const ENDPOINTS_OF_WORKSPACE = 20
const EVENTS_PER_SECOND = 50
const SECONDS = Number(process.argv[2] ?? 60)

/**
 * Measures how fast a backlog of webhooks is delivered with one and with two replicas, and how long a
 * healthy endpoint waits beside fifty that hang. The receivers share the machine. Prints the figures.
 */
for (const replicas of [1, 2]) {
  await withSystem(replicas, async bench => {
    console.log(`${replicas} replica(s): ${Math.round(await drain(bench))} deliveries per second`)
  })
}
await withSystem(1, async bench => {
  const { p50, p99, max } = await besideHungEndpoints(bench)
  console.log(`beside 50 endpoints that hang: p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`)
})
process.exit()

type Bench = { system: System; receiver: Awaited<ReturnType<typeof startReceiver>> }

async function withSystem(replicas: number, work: (bench: Bench) => Promise<void>) {
  const receiver = await startReceiver()
  const system = await startSystem({
    ...receiver.environment,
    DELIVERY_PRIVATE_NETWORKS: "127.66.0.0/16",
    REPLICAS: `${replicas}`,
  })
  await work({ system, receiver }).finally(system.stop)
  receiver.stop()
}

/** Creates a workspace with a program and endpoints, each at a host of its own. */
async function newWorkspace({ system, receiver }: Bench, name: string, paths: string[]) {
  const client = succeedingClient(system.url)
  const account = { email: `${name}@example.com`, password: "correct horse battery", name }
  const { token } = await client("POST", "/api/auth/sign-up", { body: account })
  const body = { name, website_url: "https://shop.example" }
  const program = await client("POST", "/api/advertiser/affiliate-programs", { token, body })
  for (const [i, path] of paths.entries()) {
    const url = receiver.url(path, i + 1)
    await client("POST", ENDPOINTS, { token, body: { url, events: ["*"] } })
  }
  return program.id as number
}

async function drain(bench: Bench): Promise<number> {
  const { system, receiver } = bench
  for (const name of ["one", "two"])
    await newWorkspace(bench, name, Array(ENDPOINTS_OF_WORKSPACE).fill("drain"))
  const start_ms = Date.now()
  await system.sql`
    insert into delivery.deliveries (
      receiver_id, own_event, type, payload, status, next_attempt_at
    )
    select
      receivers.id,
      jsonb_build_object(
        'event_key', gen_random_uuid(),
        'type', 'endpoint.test',
        'at', now(),
        'sequence', null,
        'workspace_id', workspace_id,
        'program_id', null,
        'data', jsonb_build_object('id', n, 'text', repeat('x', 500)),
        'previous', null
      ),
      'endpoint.test', 'full', 'pending', now()
    from delivery.receivers, generate_series(1, ${QUEUED / (2 * ENDPOINTS_OF_WORKSPACE)}::int) as n
  `
  while (receiver.received("drain").length < QUEUED) await Bun.sleep(50)
  return (QUEUED * 1_000) / (Date.now() - start_ms)
}

async function besideHungEndpoints(bench: Bench) {
  const { system, receiver } = bench
  receiver.answer("hung", never)
  const hung = (count: number) => Array<string>(count).fill("hung")
  const programs = [
    await newWorkspace(bench, "one", ["healthy", ...hung(16)]),
    await newWorkspace(bench, "two", hung(17)),
    await newWorkspace(bench, "three", hung(17)),
  ]
  const events = EVENTS_PER_SECOND * SECONDS
  const start_ms = Date.now()
  for (let made = 0; made < events; ) {
    const due = Math.min(events, ((Date.now() - start_ms) * EVENTS_PER_SECOND) / 1_000)
    const more = Math.floor(due) - made
    if (more > 0) {
      await system.sql`
        insert into identity.outgoing_events (program_id, type, data)
        select program_id, 'program.updated', jsonb_build_object('id', program_id)
        from unnest(${programs}::bigint[]) as program_id, generate_series(1, ${more}::int)
      `
    }
    made += more
    await Bun.sleep(10)
  }
  while (receiver.received("healthy").length < events) await Bun.sleep(50)
  const latencies = receiver
    .received("healthy")
    .map(({ body, at_ms }) => at_ms - Date.parse(JSON.parse(body).timestamp))
    .toSorted((a, b) => a - b)
  const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1]
  return { p50: at(0.5), p99: at(0.99), max: latencies.at(-1) }
}
