import type { Transaction } from "../../../lib/db/database"
import { recordOutgoingEvent } from "../../../lib/outgoing-events"
import { differences } from "../../../lib/record-change"
import type { Program } from "../contract"
import { findProgram, programColumns } from "./programs"

/** Locks a program and returns what it shows. Undefined: it is still being created. */
export async function lockShownProgram(sql: Transaction, program_id: number) {
  const [program] = await sql<[Program?]>`
    select ${programColumns}
    from programs
    where id = ${program_id} and version > 0
    for no key update
  `
  return program
}

/** Records the outgoing event of a program that shows something else, its time aside. */
export async function recordProgramEvent(sql: Transaction, before: Program) {
  const data = await findProgram(before.id, sql)
  const { updated_at } = data
  if (!differences(data, { ...before, updated_at })) return
  const isArchived = data.status === "archived" && before.status !== "archived"
  await recordOutgoingEvent(sql, {
    program_id: before.id,
    type: isArchived ? "program.archived" : "program.updated",
    data,
    previous: differences(data, before),
  })
}
