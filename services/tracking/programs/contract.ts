import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, OneOf } from "../../../lib/fields"

/**
 * Keeps what a click and a sale must know of a program. Safe to repeat; an older version than
 * the one known is ignored. Faults: conflict (a sale exists, and this is another currency).
 */
export const putProgram = operation("tracking.program.put", {
  request: Type.Object({
    program_id: Id,
    version: Id,
    status: OneOf("active", "paused", "archived"),
    currency: Type.String(),
    cookie_window_days: Type.Integer(),
    attribution_model: OneOf("last_click", "first_click"),
    lead_auth: OneOf("browser", "server"),
  }),
  reply: Type.Object({}),
})
