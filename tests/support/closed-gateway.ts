import { app } from "../../gateway/app"
import { start } from "../../gateway/main"

// A gateway with the settings of its environment and no services behind it. Prints its address.
await start()
console.log(`http://localhost:${app.server?.port}`)
