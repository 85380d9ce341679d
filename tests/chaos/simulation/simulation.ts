import type postgres from "postgres"
import { chanceOf } from "./chance"
import { play, sweep } from "./scenario"
import { setScene } from "./scene"
import { CALM, startSchedule, type Weather } from "./schedule"
import { violationsOf } from "./violations"

const SWEEPS = 5

export type Played = { violations: string[]; digest: string }

/** Plays one seed: a bad time for everybody, then calm, then the reckoning. */
export async function playSeed(seed: number, superuser: postgres.Sql): Promise<Played> {
  const scene = await setScene(`${seed}`, superuser)
  const schedule = startSchedule(`${seed}`)
  const { history, isOver } = play(`${seed}`, scene, superuser)
  try {
    await schedule.run(weatherOf(seed), isOver)
    await schedule.run(CALM)
    for (let i = 0; i < SWEEPS; i++) {
      schedule.begin("last sweeper", () => sweep(superuser))
      await schedule.run(CALM)
    }
    return { violations: await violationsOf(history, superuser), digest: schedule.digest() }
  } catch (error) {
    return { violations: [String(error)], digest: schedule.digest() }
  }
}

/** Some seeds are mild, some are wild, and each in its own way. */
function weatherOf(seed: number): Weather {
  const chance = chanceOf(`${seed} weather`)
  const upTo = (most: number) => (chance.happens(0.3) ? 0 : most * chance.share())
  return {
    loss: upTo(0.2),
    repeat: upTo(0.3),
    failure: upTo(0.1),
    unheard: 0.5,
    death: upTo(0.05),
    impatience: upTo(0.3),
  }
}
