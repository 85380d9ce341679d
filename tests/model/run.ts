import type postgres from "postgres"
import { type Random, seededRandom } from "../../lib/random"
import type { Send } from "./client"
import { type Clock, nextTime } from "./clock"
import { compareAll } from "./compare/checkpoint"
import { performNext } from "./perform"
import type { Report } from "./report"
import { newProgram, signIn } from "./set-up"
import type { Program } from "./state"
import type { World } from "./world"

const SLOTS = 8
const ROUND_OPERATIONS = 32 // of each program
const FIRST_ROUNDS = 2 // with the right clock
const CHECKPOINT_ROUNDS = 8
const CHECKPOINTS_MAX = 9 // in the life of a program

/** `settle` waits until everything is up, and stays so. */
export type Tools = {
  send: Send
  clock: Clock
  sql: postgres.Sql
  report: Report
  settle: () => Promise<void>
}
/** `stopAfter` so many differences. */
export type Options = { operations: number; seed: string; from: number; stopAfter: number }

/**
 * Performs random operations on several programs at once. First the clock is right, so that holds
 * end. Then it moves on by minutes, hours or days between rounds, so that windows end. From time to
 * time, and at the end, all that can be read is compared with the model.
 */
export async function run({ operations, seed, from, stopAfter }: Options, tools: Tools) {
  const { clock, report } = tools
  const random = seededRandom(`${seed} rounds`)
  const world: World = { now: Date.now(), isAhead: false, programs: [], transaction_ids: [] }
  const slots: Slot[] = Array.from({ length: SLOTS }, () => ({ checkpoints: 0 }))
  const isOver = () => report.operations() >= operations || report.differences() >= stopAfter

  for (let round = 1; !isOver(); round++) {
    await fill(slots, seed, random, world, tools)
    const programs = slots.map(({ program }) => program!)
    const count = Math.ceil((operations - report.operations()) / programs.length)
    await Promise.all(
      programs.map(program =>
        performRound(program, Math.min(count, ROUND_OPERATIONS), world, tools),
      ),
    )
    world.transaction_ids = world.programs.flatMap(program =>
      program.sales.slice(-5).map(({ transaction_id }) => ({ id: transaction_id, program })),
    )
    const isFirst = round === FIRST_ROUNDS
    if (isFirst || round % CHECKPOINT_ROUNDS === 0) await check(slots, isFirst, world, tools)
    if (round < FIRST_ROUNDS) continue
    world.now = isFirst ? from : nextTime(random, world.now, programs)
    world.isAhead = true
    await clock.set(world.now)
  }
  await tools.settle()
  if (report.differences() < stopAfter) await compareInTheEnd(world, tools)
}

/** Where one program after the other lives, each for some checkpoints. */
type Slot = { program?: Program; checkpoints: number }

async function fill(slots: Slot[], seed: string, random: Random, world: World, tools: Tools) {
  for (const slot of slots) {
    if (slot.program && !slot.program.isRetired) continue
    const number = world.programs.length
    slot.program = await newProgram(number, seed, world, tools.send, tools.clock)
    slot.checkpoints = 2 + random.below(CHECKPOINTS_MAX)
  }
}

/** Compares everything. In the first rounds the time is that of the day, so their programs end then. */
async function check(slots: Slot[], isFirst: boolean, world: World, tools: Tools) {
  await Promise.all(
    slots.map(async slot => {
      const program = slot.program!
      if (program.isAbandoned) return
      const isRight = await compareAll(program, world, tools)
      const isOver = --slot.checkpoints === 0 || program.status === "archived"
      if (!isRight) abandon(program)
      else if (isOver || isFirst) program.isRetired = true
    }),
  )
}

async function performRound(program: Program, count: number, world: World, tools: Tools) {
  for (let i = 0; i < count && !program.isAbandoned; i++) {
    if (!(await performNext(program, world, tools))) abandon(program)
  }
}

/** After a difference the model knows nothing for certain of a program. */
function abandon(program: Program) {
  program.isAbandoned = true
  program.isRetired = true
}

async function compareInTheEnd(world: World, tools: Tools) {
  const waiting = world.programs.filter(({ isAbandoned }) => !isAbandoned)
  const compareNext = async () => {
    for (let program = waiting.shift(); program; program = waiting.shift()) {
      await signIn(program, tools.send)
      await compareAll(program, world, tools)
    }
  }
  await Promise.all(Array.from({ length: SLOTS }, compareNext))
}
