import { Nullable, Time } from "../../../lib/fields"

/**
 * The time up to which the reply is complete (behaviour 7.5). Null: it includes everything that was
 * committed before the request.
 */
export const applied_until = Nullable(Time)
