import { AsyncLocalStorage } from "node:async_hooks"
import { chanceOf } from "./chance"
import { allParked } from "./running"

/** A handler at work, or whoever asks one: what can be killed by itself. */
export type Task = {
  id: number
  name: string
  isMortal: boolean
  isAlive: boolean
  clock_behind_ms: number
  steps: number // asked for so far: they order what happens at the same time
  onDeath: Set<() => Promise<unknown>>
}

/** Something that one task wants to happen next. It happens when it is this step's turn. */
type Step = { task: Task; name: string; number: number; take: () => unknown } & Terms
export type Timer = Pick<Step, "task" | "number" | "take"> & { at_ms: number }

/** On the wire, it outlives its task. */
type Terms = { isOnWire?: boolean; isWorthATry?: () => boolean }

/** How bad this world is: probabilities for each turn, or for each thing that happens. */
export type Weather = Record<
  "loss" | "repeat" | "failure" | "unheard" | "death" | "impatience",
  number
>

export const CALM: Weather = {
  loss: 0,
  repeat: 0,
  failure: 0,
  unheard: 0.5,
  death: 0,
  impatience: 0,
}
const FIRST_MS = Date.UTC(2030, 0, 1)
const TURNS_MAX = 20_000
const CLOCKS_BEHIND_MS = [0, 0, 5_000] // what lib/bus/nats.ts tolerates

const current = new AsyncLocalStorage<Task>()
export const currentTask = () => current.getStore()

export let schedule = newSchedule("")

/** One seed's world: nothing of the one before goes on in it. */
export function startSchedule(seed: string) {
  schedule = newSchedule(seed)
  return schedule
}

function newSchedule(seed: string) {
  const chance = chanceOf(seed)
  let weather = CALM
  let now_ms = FIRST_MS
  let tasks: Task[] = []
  let steps: Step[] = []
  let timers: Timer[] = []
  let tasks_begun = 0
  let digest = 0

  /** Runs `work` as a task of its own. */
  function begin<Result>(name: string, work: (task: Task) => Result, isMortal = true): Result {
    const clock_behind_ms = isMortal ? chance.pick(CLOCKS_BEHIND_MS) : 0
    const begun = { id: tasks_begun++, name, isMortal, clock_behind_ms }
    const task: Task = { ...begun, isAlive: true, steps: 0, onDeath: new Set() }
    tasks.push(task)
    return current.run(task, () => work(task))
  }

  function later(task: Task, delay_ms: number, take: () => unknown): Timer {
    const timer = { task, number: task.steps++, at_ms: now_ms + Math.max(delay_ms, 0), take }
    timers.push(timer)
    return timer
  }

  /** Waits for a turn. Of a task that is dead by then nothing is ever heard again. */
  function turn(task: Task, name: string, take: () => unknown, terms: Terms = {}) {
    if (task.isAlive) steps.push({ task, name, number: task.steps++, take, ...terms })
  }

  /** Waits for a turn in which to do something that has its end at once. */
  function once(name: string, work: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    turn(currentTask() as Task, name, () => work().then(() => resolve()))
    return promise
  }

  /** Takes turns until nothing is left to happen, and every statement has its end. */
  async function run(inThis: Weather, isOver: () => boolean = () => false) {
    weather = inThis
    for (let turns = 0; ; turns++) {
      await quiet()
      await allParked()
      await quiet()
      tasks = tasks.filter(task => task.isAlive)
      steps = steps.filter(step => step.isOnWire || step.task.isAlive)
      if (isOver() || !(await next())) return
      if (turns > TURNS_MAX) throw new Error("It does not come to an end.")
    }
  }

  async function next(): Promise<boolean> {
    if (chance.happens(weather.death)) return kill(chance.pick(tasks.filter(t => t.isMortal)))
    const worth = steps.filter(step => step.isWorthATry?.() ?? true)
    const isImpatient = timers.length > 0 && chance.happens(weather.impatience)
    if (isImpatient || worth.length === 0) return ring()

    const step = chance.pick(worth.sort(inOrder))
    steps.splice(steps.indexOf(step), 1)
    note(step.task, step.name)
    await step.take()
    return true
  }

  async function kill(task: Task | undefined): Promise<boolean> {
    if (!task) return true
    note(task, "dies")
    task.isAlive = false
    for (const letGo of task.onDeath) await letGo()
    return true
  }

  function ring(): boolean {
    const [timer] = timers.sort((a, b) => a.at_ms - b.at_ms || inOrder(a, b))
    if (!timer) return false
    cancel(timer)
    now_ms = Math.max(now_ms, timer.at_ms)
    if (timer.task.isAlive) note(timer.task, "waited")
    if (timer.task.isAlive) current.run(timer.task, timer.take)
    return true
  }

  function cancel(timer: Timer) {
    timers = timers.filter(other => other !== timer)
  }

  /** What happened, in a number: equal for equal histories. */
  function note(task: Task, what: string) {
    digest = Bun.hash.crc32(`${digest} ${task.id} ${what}`)
    if (process.env.TRACE) console.log(`${now_ms - FIRST_MS} ms  #${task.id} ${task.name}: ${what}`)
  }

  return {
    begin,
    turn,
    once,
    run,
    later,
    cancel,
    note,
    happens: (what: keyof Weather) => chance.happens(weather[what]),
    now_ms: () => now_ms,
    digest: () => digest.toString(16).padStart(8, "0"),
  }
}

const inOrder = (a: Omit<Timer, "at_ms">, b: Omit<Timer, "at_ms">) =>
  a.task.id - b.task.id || a.number - b.number

/** Until everything that was told of something has gone as far as it can. */
const quiet = () => new Promise(resolve => setImmediate(resolve))
