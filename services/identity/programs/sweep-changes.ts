import { log } from "../../../lib/log"
import { sql } from "../db"
import { undoCreation } from "./create-program"
import { type Change, carryOut, unlessRefused } from "./program-changes"

const CHANGES_MAX = 20

/**
 * Ends what a crash or an outage left open. A change is carried out: those who were told act on
 * it already. A creation that nobody was told of in time is undone.
 */
export async function sweepChanges() {
  const changes = await claimOpenChanges()
  for (const change of changes) {
    const work = change.version === 1 ? undoCreation(change) : carryOut(change)
    await work.catch(unlessRefused).catch(err => {
      log.warn({ err, program_id: change.program_id }, "A change of a program has not ended yet.")
    })
  }
  return changes.length
}

/** A claim lasts five seconds: no lock is held, and no two replicas do the same. */
const claimOpenChanges = () => sql<Change[]>`
  update program_changes
  set try_after = now() + interval '5 seconds'
  from programs
  where programs.id = program_changes.program_id
    and (program_changes.program_id, program_changes.version) in (
      select program_id, version
      from program_changes
      where state = 'open' and try_after < now()
      order by try_after
      limit ${CHANGES_MAX}
      for update skip locked
    )
  returning program_id, workspace_id, program_changes.version, settings
`
