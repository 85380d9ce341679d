import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Fault } from "./fault"
import { StageUnavailable } from "./stage"
import type { System } from "./system"
import { postgresAccepts, waitUntil } from "./victims"

const SIZE = "320m"
const HOLD_MS = 10_000
const RECOVERY_MAX_SECONDS = 2
const CHUNK_BYTES = 64 * 1024

/** Mounts a small disk in memory. Returns the function that unmounts it. */
export function mountSmallDisk(folder: string) {
  mkdirSync(folder, { recursive: true })
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder])
  if (!mounted.success) throw new StageUnavailable(mounted.stderr.toString().trim())
  return () => Bun.spawnSync(["umount", "--lazy", folder])
}

export const diskFull: Fault = {
  name: "disk full for PostgreSQL",
  stage: "disk",
  holdMs: HOLD_MS,
  recoveryMaxSeconds: RECOVERY_MAX_SECONDS,
  unaffected: [],
  async inject(system) {
    const filler = join(system.folder, "filler")
    fill(filler)
    await forceNewWal(system)
    return async () => {
      rmSync(filler)
      return waitUntil(() => postgresAccepts(system))
    }
  },
}

/** Fills the disk to the last byte. */
function fill(path: string) {
  const file = openSync(path, "w")
  for (const size of [CHUNK_BYTES, 1]) {
    const chunk = Buffer.alloc(size)
    try {
      while (writeSync(file, chunk) === size);
    } catch {
      // ENOSPC: the disk is full
    }
  }
  closeSync(file)
}

/** Makes PostgreSQL start its next WAL files. It panics when the disk has no room for one. */
async function forceNewWal({ sql }: System) {
  for (let i = 0; i < 3; i++) await sql`select pg_switch_wal()`.catch(() => {})
}
