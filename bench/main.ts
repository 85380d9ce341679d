import { parseArgs } from "node:util"
import { usage } from "./processes"
import { compareReplicas } from "./replicas"
import { measureRound, type Round } from "./round"
import { createScene } from "./scene"
import { soak } from "./soak"
import { writeReport } from "./speed-document"
import { startSystem } from "./system"
import { createWalFiles, warmUp } from "./warm-up"
import { yardstick } from "./yardstick"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" }, // of each measurement
    soak: { type: "boolean", default: false },
    minutes: { type: "string", default: "10" }, // of the soak
  },
})
const PARTNERS = 1_000
const start = Date.now()
const log = (message: string) => {
  console.log(`${((Date.now() - start) / 1_000).toFixed(0).padStart(5)} s  ${message}`)
}

for (const program of ["wrk", "nats-server", "pgbench"]) {
  if (Bun.which(program)) continue
  console.error(
    `${program} is missing: apt-get install wrk nats-server postgresql (which includes pgbench)`,
  )
  process.exit(1)
}
process.exit(values.soak ? await soak(Number(values.minutes), log) : await bench())

async function bench(): Promise<number> {
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  log("starting Tributary and PostgreSQL")
  const system = await startSystem()
  try {
    log(`creating ${PARTNERS} partners with one link each`)
    const scene = await createScene(system, PARTNERS)
    log("creating WAL files and the yardstick's database")
    await createWalFiles(system)
    const pgbench = await yardstick(system)
    log("warming up")
    await warmUp(system, scene)
    const measured: Round[] = []
    for (let round = 1; round <= rounds; round++) {
      log(`round ${round} of ${rounds}`)
      measured.push(await measureRound(system, scene, pgbench, seconds, log))
    }
    const memory = usage(system.dataDir)
    await pgbench.close()
    const replicas = await compareReplicas(system, scene, rounds, seconds, log)
    const goals = await writeReport(system, { rounds: measured, replicas, memory, seconds })
    for (const { name, median, goal, is_reached } of goals) {
      console.log(`${is_reached ? "reached" : "MISSED "}  ${name}: ${median.toFixed(2)} (${goal})`)
    }
    log("wrote bench/speed.md and bench/speed.json")
    return 0
  } finally {
    await system.stop()
  }
}
