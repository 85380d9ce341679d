import { join } from "node:path"
import { natsConf } from "./nats-users"

/** Writes anew what is derived from the code: commit it with the change that it follows. */
await Bun.write(join(import.meta.dir, "nats.conf"), await natsConf())
