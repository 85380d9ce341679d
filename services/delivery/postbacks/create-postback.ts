import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import type { Postback, PostbackOwner } from "../contract"
import { sql } from "../db"
import { refuseTemplate, refuseUrl } from "./check-postback"
import { programsOf, refuseOtherPrograms } from "./postback-programs"
import { insertPostback, isOwnedBy } from "./postbacks"
import { recordPostbackChange } from "./record-postback-change"

type Request = RequestOf<typeof contract.createPostback>

const POSTBACKS_MAX = 20 // of a partner, or of a program

export async function createPostback({ owner, postback: input }: Request): Promise<Postback> {
  const postback = {
    url: input.url,
    method: input.method ?? "GET",
    body: input.body ?? null,
    events: [...new Set(input.events)],
    dialect: input.dialect ?? "tributary",
    status: input.status ?? "enabled",
    program_id: "account_id" in owner ? (input.program_id ?? null) : owner.program_id,
  }
  refuseTemplate(postback)
  await refuseUrl(postback.url)
  const programs = await programsOf(owner)
  refuseOtherPrograms(programs, postback.program_id)

  return sql.begin(async sql => {
    await refuseOneMore(sql, owner)
    const after = await insertPostback(sql, owner, postback)
    await recordPostbackChange(sql, { owner, programs, before: null, after })
    return after
  })
}

/** Throws "conflict" if the owner has as many postbacks as it may. Creations take turns. */
async function refuseOneMore(sql: Transaction, owner: PostbackOwner) {
  const name = `postbacks ${JSON.stringify(owner)}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
  const [{ postbacks }] = await sql<[{ postbacks: number }]>`
    select count(*) as postbacks
    from postbacks
    where ${isOwnedBy(owner)}
  `
  if (postbacks < POSTBACKS_MAX) return
  throw new Fault("conflict", `${POSTBACKS_MAX} postbacks are possible. Delete one first.`)
}
