import type { Fragment } from "../../lib/db/database"
import { isDue } from "../../lib/db/due"
import { sql } from "./db"

const ROWS_MAX = 20

type Open = { table: string; isOpen: Fragment; order: Fragment; columns: readonly string[] }

/**
 * Claims rows that are due for another try and that no other replica has claimed. Each try doubles
 * the pause before the next, up to a minute. `isOpen` holds for rows that are not finished: it is
 * the condition of the table's index on `try_after`.
 */
export const claim = <Row extends object>({ table, isOpen, order, columns }: Open) => sql<Row[]>`
  update ${sql(table)}
  set
    tries = tries + 1,
    try_after = now() + least(2 ^ least(tries, 6), 60) * interval '1 second'
  where id in (
    select id
    from ${sql(table)}
    where ${isOpen}
      and ${isDue(sql)}
    order by ${order}
    limit ${ROWS_MAX}
    for update skip locked
  )
  returning ${sql([...columns])}
`
