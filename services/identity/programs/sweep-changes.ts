import { isDue } from "../../../lib/db/due"
import { log } from "../../../lib/log"
import { sql } from "../db"
import { undoCreation } from "./create-program"
import { type Change, completeChange, ignoreRefusal } from "./program-changes"

const CHANGES_MAX = 20

/**
 * Finishes what a crash or an outage left open. A change is completed, because the services that
 * received it may already act on it. A creation that did not reach them in time is undone.
 */
export async function sweepChanges() {
  const changes = await claimOpenChanges()
  for (const change of changes) {
    const work = change.version === 1 ? undoCreation(change) : completeChange(change)
    await work.catch(ignoreRefusal).catch(err => {
      log.warn({ err, program_id: change.program_id }, "A program change is still incomplete.")
    })
  }
  return changes.length
}

/** A claim lasts five seconds: it holds no lock and keeps other replicas off the same change. */
const claimOpenChanges = () => sql<Change[]>`
  update program_changes
  set try_after = now() + interval '5 seconds'
  from programs
  where programs.id = program_changes.program_id
    and (program_changes.program_id, program_changes.version) in (
      select program_id, version
      from program_changes
      where state = 'open' and ${isDue(sql)}
      order by try_after
      limit ${CHANGES_MAX}
      for update skip locked
    )
  returning program_id, workspace_id, program_changes.version, settings
`
