import { AsyncLocalStorage } from "node:async_hooks"
import { seededRandom } from "../../../lib/random"
import { untilParked } from "./statements"

/** A unit that can be killed by itself: a running handler, a batch or a caller. */
export type Task = {
  id: number
  name: string
  isKillable: boolean
  isAlive: boolean
  clockLagMs: number
  steps: number // requested so far: they order what happens at the same time
  onDeath: Set<() => Promise<unknown>>
}

/** An action that a task has requested. It runs when the schedule picks it. */
type Step = { task: Task; name: string; number: number; take: () => unknown } & StepOptions
export type Timer = Pick<Step, "task" | "number" | "take"> & { atMs: number }

/** `isOnWire`: the step outlives its task. `canRetry`: the step waits until this is true. */
type StepOptions = { isOnWire?: boolean; canRetry?: () => boolean }

/**
 * Probabilities: of `loss` and `repeat` for each message, of `failure` for each statement, of
 * `replyLost` (it took effect) for each failure, of `crash` and `earlyTimer` for each turn.
 */
export type FaultRates = Record<
  "loss" | "repeat" | "failure" | "replyLost" | "crash" | "earlyTimer",
  number
>

export const NO_FAULTS: FaultRates = {
  loss: 0,
  repeat: 0,
  failure: 0,
  replyLost: 0.5,
  crash: 0,
  earlyTimer: 0,
}
const FIRST_MS = Date.UTC(2030, 0, 1)
const TURNS_MAX = 20_000
const CLOCK_LAGS_MS = [0, 0, 5_000] // lib/bus/nats.ts tolerates this much

const current = new AsyncLocalStorage<Task>()
export const currentTask = () => current.getStore()

export let schedule = newSchedule("")

/** Replaces the schedule by a new one, in which nothing of the seed before is left. */
export function startSchedule(seed: string) {
  schedule = newSchedule(seed)
  return schedule
}

function newSchedule(seed: string) {
  const random = seededRandom(seed)
  let faultRates = NO_FAULTS
  let nowMs = FIRST_MS
  let tasks: Task[] = []
  let steps: Step[] = []
  let timers: Timer[] = []
  let taskCount = 0
  let digest = 0

  /** Runs `work` as a new task. */
  function begin<Result>(name: string, work: (task: Task) => Result, isKillable = true): Result {
    const clockLagMs = isKillable ? random.pick(CLOCK_LAGS_MS) : 0
    const id = taskCount++
    const task: Task = {
      id,
      name,
      isKillable,
      clockLagMs,
      isAlive: true,
      steps: 0,
      onDeath: new Set(),
    }
    tasks.push(task)
    return current.run(task, () => work(task))
  }

  /** Runs `take` when the virtual clock has advanced by `delayMs`. */
  function later(task: Task, delayMs: number, take: () => unknown): Timer {
    const timer = { task, number: task.steps++, atMs: nowMs + Math.max(delayMs, 0), take }
    timers.push(timer)
    return timer
  }

  /** Requests a turn for `take`. A step of a task that has died by then never runs. */
  function turn(task: Task, name: string, take: () => unknown, options: StepOptions = {}) {
    if (task.isAlive) steps.push({ task, name, number: task.steps++, take, ...options })
  }

  /** Waits for a turn and runs `work` to its end within it. */
  function once(name: string, work: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    turn(currentTask() as Task, name, () => work().then(() => resolve()))
    return promise
  }

  /** Takes turns until no step, timer or statement is left, or until `isOver`. */
  async function run(rates: FaultRates, isOver: () => boolean = () => false) {
    faultRates = rates
    for (let turns = 0; ; turns++) {
      await untilIdle()
      await untilParked()
      await untilIdle()
      tasks = tasks.filter(task => task.isAlive)
      steps = steps.filter(step => step.isOnWire || step.task.isAlive)
      if (isOver() || !(await next())) return
      if (turns > TURNS_MAX) throw new Error(`The schedule did not end within ${TURNS_MAX} turns.`)
    }
  }

  async function next(): Promise<boolean> {
    if (random.happens(faultRates.crash)) return kill(random.pick(tasks.filter(isKillable)))
    const ready = steps.filter(step => step.canRetry?.() ?? true)
    const isEarlyTimer = timers.length > 0 && random.happens(faultRates.earlyTimer)
    if (isEarlyTimer || ready.length === 0) return fireTimer()

    const step = random.pick(ready.sort(inOrder))
    steps.splice(steps.indexOf(step), 1)
    note(step.task, step.name)
    await step.take()
    return true
  }

  async function kill(task: Task | undefined): Promise<boolean> {
    if (!task) return true
    note(task, "dies")
    task.isAlive = false
    for (const release of task.onDeath) await release()
    return true
  }

  function fireTimer(): boolean {
    const [timer] = timers.sort((a, b) => a.atMs - b.atMs || inOrder(a, b))
    if (!timer) return false
    cancel(timer)
    nowMs = Math.max(nowMs, timer.atMs)
    if (timer.task.isAlive) note(timer.task, "waited")
    if (timer.task.isAlive) current.run(timer.task, timer.take)
    return true
  }

  function cancel(timer: Timer) {
    timers = timers.filter(other => other !== timer)
  }

  /** Adds an event to the digest, which is equal for equal histories. --trace prints it. */
  function note(task: Task, event: string) {
    digest = Bun.hash.crc32(`${digest} ${task.id} ${event}`)
    if (process.env.TRACE) console.log(`${nowMs - FIRST_MS} ms  #${task.id} ${task.name}: ${event}`)
  }

  return {
    begin,
    turn,
    once,
    run,
    later,
    cancel,
    note,
    happens: (fault: keyof FaultRates) => random.happens(faultRates[fault]),
    nowMs: () => nowMs,
    digest: () => digest.toString(16).padStart(8, "0"),
  }
}

const inOrder = (a: Omit<Timer, "atMs">, b: Omit<Timer, "atMs">) =>
  a.task.id - b.task.id || a.number - b.number

const isKillable = (task: Task) => task.isKillable

/** Waits until all resolved promises have run their callbacks. */
const untilIdle = () => new Promise(resolve => setImmediate(resolve))
