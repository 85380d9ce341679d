import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable } from "../../../lib/fields"
import { Policy } from "../groups/contract"

/**
 * Stores what commissions needs of a program. Version 1 creates its Default group (30 %, or
 * `commission`). A later version with `commission` adds a version to that group's policy, once. An
 * `effective_from` that is in the past or of a group's first policy means now.
 * Safe to repeat; a version older than the stored one is ignored. Faults: unavailable (the stored
 * program is of another workspace; or tracking, which knows the newest sale, is unavailable).
 */
export const putProgram = operation("commissions.program.put", {
  request: Type.Object({
    program_id: Id,
    version: Id,
    workspace_id: Id,
    currency: Type.String(),
    commission: Nullable(Policy),
  }),
  reply: Type.Object({}),
})
