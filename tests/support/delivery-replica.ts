/** Runs delivery's own code in a process of its own, as another replica does. */
import { keepDelivering } from "../../services/delivery/deliveries/deliver"
import { disableFailing } from "../../services/delivery/deliveries/disable-endpoints"
import { pruneOwnEvents } from "../../services/delivery/deliveries/prune-deliveries"
import { pruneEvents } from "../../services/delivery/events/prune-events"

const TASKS: Record<string, () => Promise<number>> = {
  "disable-failing": disableFailing,
  prune: async () => (await pruneEvents()) + (await pruneOwnEvents()),
}

const task = TASKS[process.argv[2] ?? ""]
if (task) {
  console.log(await task())
  process.exit()
}
keepDelivering()
console.log("ready")
