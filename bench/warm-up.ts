import { bodies } from "./bodies"
import { waitForCatchUp } from "./lag"
import { load } from "./load"
import type { Scene } from "./scene"
import type { System } from "./system"

const SECONDS = 8 // Bun has compiled the code by then

/** Sends clicks until Bun has compiled Tributary's code. */
export async function warmUp(system: System, scene: Scene) {
  const file = await bodies(system, scene).clicks(1_000)
  const click = { file, path: "/api/v1/track/click", connections: 128 }
  await load(system, { ...click, seconds: SECONDS })
  await waitForCatchUp(system)
}

/**
 * Creates the WAL files in advance. A new PostgreSQL creates them one by one until its first
 * checkpoint, and all commits wait for each; one that has run for a while recycles them.
 */
export async function createWalFiles({ sql }: System) {
  const [{ files }] = await sql<[{ files: number }]>`
    select
      pg_size_bytes(current_setting('max_wal_size'))
        / pg_size_bytes(current_setting('wal_segment_size')) as files
  `
  for (let created = 0; created < files; created++) {
    await sql`select pg_logical_emit_message(true, 'bench', '')` // an empty file is not switched
    await sql`select pg_switch_wal()`
  }
  await sql`checkpoint`
}
