import { Elysia } from "elysia"
import { nats } from "../lib/bus/nats"

const { PORT = "", NATS_URL = "" } = process.env

/** Echoes every message over HTTP and over NATS, to measure what both do without any work. */
new Elysia().post("/echo", ({ body }) => body).listen(Number(PORT))
const bus = await nats(NATS_URL)
await bus.listen("bench", "bench.echo", (message, respond) => respond(message))
console.log("ready")
