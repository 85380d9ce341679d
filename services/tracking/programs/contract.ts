import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, OneOf } from "../../../lib/fields"

/**
 * Stores the settings of a program that clicks, leads and sales depend on. Safe to repeat; an older
 * version than the stored one is ignored. Faults: conflict (another currency, but a sale exists).
 */
export const putProgram = operation("tracking.program.put", {
  request: Type.Object({
    program_id: Id,
    workspace_id: Type.Optional(Id), // absent: from an older version
    version: Id,
    status: OneOf("active", "paused", "archived"),
    currency: Type.String(),
    cookie_window_days: Type.Integer(),
    attribution_model: OneOf("last_click", "first_click"),
    lead_auth: OneOf("browser", "server"),
  }),
  reply: Type.Object({}),
})
