import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Postback } from "../contract"
import { sql } from "../db"
import { untilNoneStarts } from "../queue/receivers"
import { programsOf } from "./postback-programs"
import { limitedWith } from "./postback-receivers"
import { lockPostback } from "./postbacks"
import { recordPostbackChange } from "./record-postback-change"

type Request = RequestOf<typeof contract.deletePostback>

export async function deletePostback({ owner, postback_id }: Request): Promise<Postback> {
  const programs = await programsOf(owner)
  const deleted = await sql.begin(async sql => {
    const before = await lockPostback(sql, { owner, postback_id })
    await sql`
      delete from postbacks
      where id = ${postback_id}
    `
    await recordPostbackChange(sql, { owner, programs, before, after: null })
    return before
  })
  await untilNoneStarts(limitedWith(owner))
  return deleted
}
