import type { Database } from "./database"

/**
 * Selects rows whose `try_after` has come. Pauses last a minute at most, so a time beyond ten was
 * set by a clock that was ahead: such a row is due as well. `infinity`: it rests until it is woken.
 */
export const isDue = (sql: Database) => sql`
  (
    try_after < now()
    or (try_after > now() + interval '10 minutes' and try_after < 'infinity')
  )
`
