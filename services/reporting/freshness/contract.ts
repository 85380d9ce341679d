import { Nullable, Time } from "../../../lib/fields"

/** How far the answer reaches. Null: everything that was answered before the question came. */
export const applied_until = Nullable(Time)
