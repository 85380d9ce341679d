import type { Transaction } from "../../../lib/db/database"
import { differences, NO_ACTOR, recordChange } from "../../../lib/record-change"
import { currentContext } from "../../../lib/request-context"
import type { Postback, PostbackOwner } from "../contract"
import type { PostbackProgram } from "./postback-programs"

type Change = {
  owner: PostbackOwner
  programs: PostbackProgram[] // of the owner
  before: Postback | null // null: it was created
  after: Postback | null // null: it was deleted
}

/** Records a change of a postback in the audit logs. */
export async function recordPostbackChange(
  sql: Transaction,
  { owner, programs, before, after }: Change,
) {
  const action = actionOf(before, after)
  const details = changedFields(before, after)
  const states = [before, after].filter(state => state !== null)
  await recordOfPostback(sql, { owner, programs, states, action, details })
}

type Act = Pick<Change, "owner" | "programs"> & {
  states: readonly Postback[] // the postback as it was and is
  action: `postback.${string}`
  details: object | null
}

/**
 * Records what was done with a postback in the audit log of each program that it was or is sent for.
 * Who a partner is, programs do not learn, but whether Tributary itself did it.
 */
export async function recordOfPostback(
  sql: Transaction,
  { owner, programs, states, action, details }: Act,
) {
  const { actor } = currentContext()
  const isPartner = "account_id" in owner && actor.kind !== "system"
  const isConcerned = ({ program_id }: PostbackProgram) =>
    states.some(state => state.program_id === null || state.program_id === program_id)
  for (const program of programs.filter(isConcerned)) {
    await recordChange(
      sql,
      { ...program, action, subject_id: states[0]!.id, details },
      isPartner ? NO_ACTOR : actor,
    )
  }
}

function actionOf(before: Postback | null, after: Postback | null) {
  if (before === null) return "postback.create"
  return after === null ? "postback.delete" : "postback.update"
}

/** A field that the log shows in part only is named whenever any of it has changed. */
function changedFields(before: Postback | null, after: Postback | null): object | null {
  if (after === null) return { host: auditedFields(before!).host }
  if (before === null) return auditedFields(after)
  const changed = {
    ...(before.url !== after.url && { host: "" }),
    ...(!Bun.deepEquals(before.body, after.body) && { body: "" }),
    ...(before.program_id !== after.program_id && { programs: "" }),
  }
  return differences({ ...auditedFields(before), ...changed }, auditedFields(after))
}

/**
 * What the audit log shows of a postback. Of the URL only the host, and of the body only its type,
 * because the rest may be a secret, and the log is kept forever. A partner's programs learn nothing of
 * each other.
 */
const auditedFields = (postback: Postback) => ({
  programs: postback.program_id === null ? "all" : "one",
  host: new URL(postback.url).host,
  method: postback.method,
  body: postback.body?.type ?? null,
  events: postback.events,
  dialect: postback.dialect,
  status: postback.status,
})
