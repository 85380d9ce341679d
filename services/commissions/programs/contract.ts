import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable } from "../../../lib/fields"
import { Policy } from "../groups/contract"

/**
 * Keeps what commissions must know of a program. Version 1 makes its Default group (30 %, or
 * `commission`); later ones with `commission` give that group a new version of its policy, once. An
 * `effective_from` in the past, or of a group's first policy, is taken as now.
 * Safe to repeat; an older version than the one known is ignored. Faults: none.
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
