import { batchScheduler } from "../../../lib/batch"
import { network } from "../../../lib/bus/local"
import { currentTask, schedule } from "./schedule"

/**
 * Puts a network between tasks that loses and repeats messages, and delivers them in the order that
 * the schedule picks: a message is late when its turn comes late. Each delivery is a task.
 */
export function simulateNetwork() {
  network.carry = deliver => {
    const sender = currentTask()
    if (!sender) return queueMicrotask(deliver) // no task: the scene is being set

    const take = () => {
      if (schedule.happens("loss")) return schedule.note(sender, "message lost")
      if (schedule.happens("repeat"))
        schedule.turn(sender, "message repeated", take, { isOnWire: true })
      schedule.begin(`delivery from ${sender.name}`, deliver)
    }
    schedule.turn(sender, "message", take, { isOnWire: true })
  }
}

/**
 * Makes each batch a task. If it is killed, its requests get no reply. Requests that arrive before
 * its turn form the next batch, so several may run at once, as with replicas.
 */
export function simulateBatches() {
  batchScheduler.begin = work => {
    if (!currentTask()) return work() // no task: the scene is being set

    const { promise, resolve } = Promise.withResolvers<void>()
    const take = () => {
      schedule.begin("batch", work)
      resolve()
    }
    schedule.begin("queue", queue => schedule.turn(queue, "next", take), false)
    return promise
  }
  batchScheduler.pause = () => Promise.resolve()
}
