import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Results, renderDocument } from "./deliveries/document"
import { measureDrain } from "./deliveries/drain"
import { measureBesideHung } from "./deliveries/hung"
import { measureOutbox } from "./deliveries/outbox"
import { withSystem } from "./deliveries/with-system"

const REPLICAS = [1, 2, 3]

/**
 * Measures what events out cost and how fast they are sent (behaviour 12.7, W4). The receivers share
 * the machine. Writes bench/deliveries.md.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" }, // in which both sides of a comparison take turns
    seconds: { type: "string", default: "20" }, // of each side
    events: { type: "string", default: "20000" }, // in the backlog that is drained
    folder: { type: "string", default: import.meta.dir },
  },
})
const [rounds, seconds, events] = [values.rounds, values.seconds, values.events].map(Number) as [
  number,
  number,
  number,
]

if (!Bun.which("wrk")) {
  console.error("wrk is missing: apt-get install wrk")
  process.exit(1)
}
const drains: Results["drains"] = []
for (const replicas of REPLICAS) {
  drains.push(await withSystem(bench => measureDrain(bench, replicas, events)))
  console.log(JSON.stringify(drains.at(-1)))
}
const beside_hung = await withSystem(bench => measureBesideHung(bench, rounds, seconds))
console.log(JSON.stringify(beside_hung))
const outbox = await withSystem(bench => measureOutbox(bench, rounds, seconds))
console.log(JSON.stringify(outbox))

const document = renderDocument({ rounds, seconds, drains, beside_hung, outbox })
await Bun.write(join(values.folder, "deliveries.md"), document)
console.log(`\n${document}`)
process.exit()
