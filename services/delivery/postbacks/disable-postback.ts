import { asFault } from "../../../lib/fault"
import type { PostbackOwner } from "../contract"
import { sql } from "../db"
import { programsOf } from "./postback-programs"
import { lockPostback, storePostback } from "./postbacks"
import { recordPostbackChange } from "./record-postback-change"

/** Disables a postback whose receiver wants none any more, or has failed for days (behaviour 12.4.2). */
export async function disablePostback(postback_id: number) {
  const owner = await findOwner(postback_id)
  if (!owner) return
  const programs = await programsOf(owner)
  try {
    await sql.begin(async sql => {
      const before = await lockPostback(sql, { owner, postback_id })
      if (before.status === "disabled") return
      const after = { ...before, status: "disabled" as const }
      await storePostback(sql, after)
      await recordPostbackChange(sql, { owner, programs, before, after })
    })
  } catch (error) {
    if (asFault(error).kind !== "missing") throw error // it was deleted meanwhile
  }
}

async function findOwner(postback_id: number): Promise<PostbackOwner | null> {
  const [row] = await sql<[{ owner: PostbackOwner }?]>`
    select case
      when account_id is not null then jsonb_build_object('account_id', account_id)
      else jsonb_build_object(
        'workspace_id', workspace_id, 'program_id', program_id, 'partner_id', partner_id
      )
    end as owner
    from postbacks
    where id = ${postback_id}
  `
  return row?.owner ?? null
}
