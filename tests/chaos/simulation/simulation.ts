import type postgres from "postgres"
import { seededRandom } from "../../../lib/random"
import { approveDue } from "../../../services/commissions/commissions/approve-due"
import { approvePartners } from "./changes"
import { LAST_STEP_SECONDS, setClocks } from "./clocks"
import { startScenario, sweep } from "./scenario"
import { setScene } from "./scene"
import { type FaultRates, NO_FAULTS, startSchedule } from "./schedule"
import { violationsOf } from "./violations"

const SWEEPS = 5

export type SeedResult = { violations: string[]; digest: string }

/** Plays one seed: the scenario under faults, then without, then sweepers, then the checks. */
export async function playSeed(seed: number, superuser: postgres.Sql): Promise<SeedResult> {
  const scene = await setScene(`${seed}`, superuser)
  const schedule = startSchedule(`${seed}`)
  const { history, isOver } = startScenario(`${seed}`, scene, superuser)
  try {
    await schedule.run(faultRatesOf(seed), isOver)
    await schedule.run(NO_FAULTS)
    await setClocks(superuser, LAST_STEP_SECONDS) // no hold that ended once begins again
    schedule.begin("last manager", () => approvePartners(scene), false)
    await schedule.run(NO_FAULTS)
    for (let i = 0; i < SWEEPS; i++) {
      schedule.begin("last sweeper", () => sweep(superuser))
      schedule.begin("last sweeper of holds", () => approveDue())
      await schedule.run(NO_FAULTS)
    }
    return { violations: await violationsOf(history, superuser), digest: schedule.digest() }
  } catch (error) {
    return { violations: [String(error)], digest: schedule.digest() }
  }
}

/** Draws the fault rates of a seed. Each kind is off in three seeds of ten. */
function faultRatesOf(seed: number): FaultRates {
  const random = seededRandom(`${seed} weather`)
  const upTo = (most: number) => (random.happens(0.3) ? 0 : most * random.fraction())
  return {
    loss: upTo(0.2),
    repeat: upTo(0.3),
    failure: upTo(0.1),
    replyLost: 0.5,
    crash: upTo(0.05),
    earlyTimer: upTo(0.3),
  }
}
