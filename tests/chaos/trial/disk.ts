import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Fault } from "./fault"
import type { System } from "./system"
import { momentOf, postgresAccepts } from "./victims"

const SIZE = "320m"
const HOLD_MS = 10_000
const RECOVERY_S_MAX = 2
const PIECE_BYTES = 64 * 1024

/** This machine does not allow what a stage needs. */
export class NotHere extends Error {}

/** A small disk in memory. Answers what takes it away. */
export function smallDisk(folder: string) {
  mkdirSync(folder, { recursive: true })
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder])
  if (!mounted.success) throw new NotHere(mounted.stderr.toString().trim())
  return () => Bun.spawnSync(["umount", "--lazy", folder])
}

export const diskFull: Fault = {
  name: "disk full for PostgreSQL",
  stage: "disk",
  hold_ms: HOLD_MS,
  recovery_s_max: RECOVERY_S_MAX,
  unharmed: [],
  async strike(system) {
    const filler = join(system.folder, "filler")
    fill(filler)
    await needNewLog(system)
    return async () => {
      rmSync(filler)
      return momentOf(() => postgresAccepts(system))
    }
  },
}

/** Takes every byte that is left. */
function fill(path: string) {
  const file = openSync(path, "w")
  for (const size of [PIECE_BYTES, 1]) {
    const piece = Buffer.alloc(size)
    try {
      while (writeSync(file, piece) === size);
    } catch {
      // ENOSPC is what it is after
    }
  }
  closeSync(file)
}

/** PostgreSQL panics where it cannot begin its next log file, which this makes it need now. */
async function needNewLog({ sql }: System) {
  for (let i = 0; i < 3; i++) await sql`select pg_switch_wal()`.catch(() => {})
}
