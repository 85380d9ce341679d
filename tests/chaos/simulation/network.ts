import { network } from "../../../lib/bus-local"
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
