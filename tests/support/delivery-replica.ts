/** Runs delivery's own code in a process of its own, as another replica does. */
import { keepDelivering } from "../../services/delivery/deliveries/deliver"
import { disableFailing } from "../../services/delivery/deliveries/disable-endpoints"

if (process.argv[2] === "disable-failing") {
  console.log(await disableFailing())
  process.exit()
}
keepDelivering()
console.log("ready")
