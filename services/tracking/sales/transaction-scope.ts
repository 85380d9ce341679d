import { config } from "../../../lib/config"
import type { Transaction } from "../../../lib/db/database"
import { ownerUrl } from "../../../lib/db/login"
import { ownerDatabase } from "../../../lib/db/pool"

type Scope = typeof config.transaction_scope

/** The unique index of each scope. The database has the one of its scope, and not the other. */
const INDEXES: Record<Scope, { name: string; columns: string }> = {
  service: { name: "affiliate_sale_events_transaction_id_idx", columns: "transaction_id" },
  program: {
    name: "affiliate_sale_events_program_transaction_idx",
    columns: "program_id, transaction_id",
  },
}
const NAMED_MAX = 10

/**
 * Makes each transaction_id unique in the scope that TRANSACTION_SCOPE names (behaviour 9.8), as the
 * owner of the schema. A change waits for open writes of sales, and holds back new ones until the
 * index is built. Throws, and changes nothing, if ids collide in the scope.
 */
export async function applyTransactionScope() {
  const scope = config.transaction_scope
  const sql = ownerDatabase("tracking")
  try {
    if (await hasScope(sql, scope)) return
    if (!ownerUrl("tracking")) {
      throw new Error(
        `TRANSACTION_SCOPE=${scope} is not the scope of the database, and this process may not ` +
          "change it. Run the image with SERVICE=migrate and the same TRANSACTION_SCOPE first.",
      )
    }
    await sql.begin(sql => changeScope(sql, scope))
  } finally {
    await sql.end()
  }
}

async function hasScope(sql: Pick<Transaction, "unsafe">, scope: Scope): Promise<boolean> {
  const names = await sql.unsafe(`
    select indexname as name
    from pg_indexes
    where schemaname = 'tracking'
      and indexname in ('${INDEXES.service.name}', '${INDEXES.program.name}')
  `)
  return names.length === 1 && names[0]?.name === INDEXES[scope].name
}

async function changeScope(sql: Transaction, scope: Scope) {
  await sql`select pg_advisory_xact_lock(hashtext('tributary'))` // replicas start together
  if (await hasScope(sql, scope)) return

  await sql`set local lock_timeout = '5s'` // a waiting lock request blocks all later ones
  await sql`lock table affiliate_sale_events in share row exclusive mode`
  if (scope === "service") await refuseCollisions(sql)
  const { name, columns } = INDEXES[scope]
  const other = INDEXES[scope === "service" ? "program" : "service"].name
  await sql.unsafe(`
    create unique index if not exists ${name} on affiliate_sale_events (${columns})
      where not is_test;
    drop index if exists ${other};
  `)
}

async function refuseCollisions(sql: Transaction) {
  const ids = await sql<{ transaction_id: string; total: number }[]>`
    select transaction_id, count(*) over () as total
    from affiliate_sale_events
    where not is_test
    group by transaction_id
    having count(*) > 1
    order by transaction_id
    limit ${NAMED_MAX}
  `
  const [first] = ids
  if (!first) return
  const named = ids.map(({ transaction_id }) => JSON.stringify(transaction_id)).join(", ")
  throw new Error(
    `TRANSACTION_SCOPE=service needs ids that are unique in the whole instance, but ` +
      `${first.total} are those of sales of several programs: ${named}` +
      `${first.total > ids.length ? ", …" : ""}. Start with TRANSACTION_SCOPE=program.`,
  )
}
