import { batches } from "../../../lib/batch"
import { network } from "../../../lib/bus/local"
import { currentTask, schedule } from "./schedule"

/**
 * Puts a network between tasks that loses and repeats, and delivers in whatever order the
 * schedule takes: what is late is late because its turn came late. Each delivery is a task.
 */
export function simulateNetwork() {
  network.carry = deliver => {
    const sender = currentTask()
    if (!sender) return queueMicrotask(deliver) // nobody's: the scene is being set

    const take = () => {
      if (schedule.happens("loss")) return schedule.note(sender, "its message is lost")
      if (schedule.happens("repeat"))
        schedule.turn(sender, "message once more", take, { isOnWire: true })
      schedule.begin(`delivery from ${sender.name}`, deliver)
    }
    schedule.turn(sender, "message", take, { isOnWire: true })
  }
}

/**
 * Makes each batch a task, which may die and leave those of whom it is without an answer. What is
 * asked for until its turn comes makes the next one: as with replicas, several may be under way.
 */
export function simulateBatches() {
  batches.begin = work => {
    if (!currentTask()) return work() // nobody's: the scene is being set

    const { promise, resolve } = Promise.withResolvers<void>()
    const take = () => {
      schedule.begin("batch", work)
      resolve()
    }
    schedule.begin("queue", queue => schedule.turn(queue, "next", take), false)
    return promise
  }
  batches.pause = () => Promise.resolve()
}
