import { constantsOf } from "../../gateway/routes/pages/bundle"
import { ROUTES } from "../../gateway/routes/routes"
import { build } from "../../web/build"

const SETTLE_MS = 500 // the bundler's threads give their memory back late

/** Builds the pages as a gateway does at its start, and prints what that costs. */
const before = await memory()
const start = performance.now()
const { files } = await build(constantsOf(ROUTES))
const kept = [...files.values()].map(({ text }) => Bun.gzipSync(text, { level: 9 }))
const build_ms = performance.now() - start
const memory_mb = (await memory()) - before
const gzip_bytes = kept.reduce((sum, { length }) => sum + length, 0)
console.log(JSON.stringify({ build_ms, memory_mb, gzip_bytes }))

async function memory(): Promise<number> {
  await Bun.sleep(SETTLE_MS)
  Bun.gc(true)
  return process.memoryUsage().rss / 1_024 / 1_024
}
