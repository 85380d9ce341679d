import { parseArgs } from "node:util"
import { usage } from "./processes"
import { compareReplicas } from "./replicas"
import { measureRound, type Round } from "./round"
import { setScene } from "./scene"
import { soak } from "./soak"
import { report } from "./speed-document"
import { startSystem } from "./system"
import { makeLogFiles, warmUp } from "./warm-up"
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
const say = (what: string) => {
  console.log(`${((Date.now() - start) / 1_000).toFixed(0).padStart(5)} s  ${what}`)
}

for (const program of ["wrk", "nats-server", "pgbench"]) {
  if (Bun.which(program)) continue
  console.error(
    `Install ${program}: apt-get install wrk nats-server postgresql (which has pgbench)`,
  )
  process.exit(1)
}
process.exit(values.soak ? await soak(Number(values.minutes), say) : await bench())

async function bench(): Promise<number> {
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  say("starting Tributary and PostgreSQL")
  const system = await startSystem()
  try {
    say(`making ${PARTNERS} partners with a link each`)
    const scene = await setScene(system, PARTNERS)
    say("making log files, and the yardstick's database")
    await makeLogFiles(system)
    const pgbench = await yardstick(system)
    say("warming up")
    await warmUp(system, scene)
    const measured: Round[] = []
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`)
      measured.push(await measureRound(system, scene, pgbench, seconds, say))
    }
    const memory = usage(system.data_dir)
    await pgbench.close()
    const replicas = await compareReplicas(system, scene, rounds, seconds, say)
    const goals = await report(system, { rounds: measured, replicas, memory, seconds })
    for (const { name, median, goal, is_reached } of goals) {
      console.log(`${is_reached ? "reached" : "MISSED "}  ${name}: ${median.toFixed(2)} (${goal})`)
    }
    say("bench/speed.md and bench/speed.json are written")
    return 0
  } finally {
    await system.stop()
  }
}
