import { join } from "node:path"
import { cpuBetween, usage } from "./processes"
import type { System } from "./system"

export type Load = {
  per_second: number
  requests: number
  refused: number // replies other than 200
  failed: number // no reply
  p50_ms: number
  p99_ms: number
  max_ms: number
  cpu_us: Record<string, number> // of each part, per request
}

type LoadOptions = {
  file: string // request bodies, one per line
  path: string
  token?: string
  connections: number
  seconds: number
}

/** Sends the bodies of a file over so many connections, each as soon as the last reply is in. */
export async function load(system: System, options: LoadOptions): Promise<Load> {
  const { file, path, token, connections, seconds } = options
  const before = usage(system.dataDir)
  const { requests, ...figures } = await wrk(system.url, connections, seconds, [
    ...[file, path],
    ...(token ? [token] : []),
  ])
  const cpu = cpuBetween(before, usage(system.dataDir))
  const cpu_us = Object.entries(cpu).map(([name, spent]) => [name, (spent / requests) * 1e6])
  return { ...figures, requests, cpu_us: Object.fromEntries(cpu_us) }
}

export async function wrk(url: string, connections: number, seconds: number, args: string[]) {
  const script = join(import.meta.dir, "requests.lua")
  const command = ["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--timeout=5s", "-s", script]
  const output = await Bun.$`${[...command, url, "--", ...args]}`.quiet().text()
  const [, result] = /^RESULT (.+)$/m.exec(output) ?? []
  if (!result) throw new Error(`wrk: ${output}`)
  const { seconds: elapsed, ...figures } = JSON.parse(result)
  return { ...figures, per_second: figures.requests / elapsed } as Omit<Load, "cpu_us">
}
