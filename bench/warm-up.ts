import { bodies } from "./bodies"
import { catchUp } from "./lag"
import { load } from "./load"
import type { Scene } from "./scene"
import type { System } from "./system"

const SECONDS = 8 // until the code is compiled

/** Lets Tributary's code be compiled. */
export async function warmUp(system: System, scene: Scene) {
  const file = await bodies(system, scene).clicks(1_000)
  const click = { file, path: "/api/v1/track/click", connections: 128 }
  await load(system, { ...click, seconds: SECONDS })
  await catchUp(system)
}

/**
 * A PostgreSQL that has been at work uses its log files (WAL) again, for the yardstick as well. A new
 * one makes each of them, for which all commits wait, until its first checkpoint.
 */
export async function makeLogFiles({ sql }: System) {
  const [{ files }] = await sql<[{ files: number }]>`
    select
      pg_size_bytes(current_setting('max_wal_size'))
        / pg_size_bytes(current_setting('wal_segment_size')) as files
  `
  for (let made = 0; made < files; made++) {
    await sql`select pg_logical_emit_message(true, 'bench', '')` // a file without records is not switched
    await sql`select pg_switch_wal()`
  }
  await sql`checkpoint`
}
