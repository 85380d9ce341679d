import { join } from "node:path"
import { median } from "../reports/quantile"

const RUNS = 5

export type Cost = { build_ms: number; memory_mb: number; gzip_bytes: number }

/** What the pages add to the start of a gateway and to its memory: the median of new processes. */
export async function measureCost(): Promise<Cost> {
  const runs: Cost[] = []
  for (let i = 0; i < RUNS; i++) {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "build-once.ts")], {
      cwd: join(import.meta.dir, "../.."),
      stdio: ["ignore", "pipe", "inherit"],
    })
    runs.push(JSON.parse(await new Response(child.stdout).text()))
  }
  const middle = (key: keyof Cost) => median(runs.map(run => run[key]))
  return {
    build_ms: middle("build_ms"),
    memory_mb: middle("memory_mb"),
    gzip_bytes: middle("gzip_bytes"),
  }
}
