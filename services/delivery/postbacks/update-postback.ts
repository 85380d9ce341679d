import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Postback } from "../contract"
import { sql } from "../db"
import { untilNoneStarts } from "../queue/receivers"
import { refuseTemplate, refuseUrl } from "./check-postback"
import { programsOf, refuseOtherPrograms } from "./postback-programs"
import { limitedWith } from "./postback-receivers"
import { lockPostback, storePostback } from "./postbacks"
import { recordPostbackChange } from "./record-postback-change"

type Request = RequestOf<typeof contract.updatePostback>

/** Only a partner's own postback can change its program: the others' routes do not take it. */
export async function updatePostback({ owner, postback_id, changes }: Request): Promise<Postback> {
  if (changes.url !== undefined) await refuseUrl(changes.url)
  const programs = await programsOf(owner)
  if (changes.program_id !== undefined) refuseOtherPrograms(programs, changes.program_id)

  const updated = await sql.begin(async sql => {
    const before = await lockPostback(sql, { owner, postback_id })
    const after = {
      ...before,
      ...changes,
      events: [...new Set(changes.events ?? before.events)],
    }
    refuseTemplate(after)
    await storePostback(sql, after)
    await recordPostbackChange(sql, { owner, programs, before, after })
    return after
  })
  await untilNoneStarts(limitedWith(owner))
  return updated
}
