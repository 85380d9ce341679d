import postgres from "postgres"
import { newPostgres, type Postgres } from "../postgres"
import type { Stage } from "../stage"
import { topologyTrial } from "../topology-trial"

const SERVICES = ["tracking", "identity", "commissions", "reporting", "delivery"]

/** Each service has its own PostgreSQL server, with only its own schema. */
export const ownServers = topologyTrial("A server for each service", [], async stage => {
  const servers = await Promise.all(SERVICES.map(name => newPostgres(stage, name, "embedded")))
  const databases = Object.fromEntries(servers.map(({ name, url }) => [name, url]))
  return {
    servers: `five servers, ${servers[0]!.version}`,
    environment: {
      REPLICAS: "2",
      ...Object.fromEntries(
        servers.map(({ name, url }) => [`${name.toUpperCase()}_DATABASE_URL`, url]),
      ),
    },
    databases,
    async verify() {
      await verifySchemas(stage, servers)
      databases.all = await newCombinedDatabase(servers)
      return []
    },
    excluded: {
      "access/roles.test.ts":
        "it tests access to schemas of other services, which are not on the server",
      "audit-log/audit-log.test.ts": "it uses the roles of all services on one server",
    },
  }
})

async function verifySchemas(stage: Stage, servers: Postgres[]) {
  const found = await Promise.all(
    servers.map(async ({ name, url }) => {
      const sql = postgres(url, { max: 1 })
      const schemas = await sql<{ nspname: string }[]>`
        select nspname
        from pg_namespace
        where nspname = any(${SERVICES})
      `
      await sql.end()
      return { name, schemas: schemas.map(({ nspname }) => nspname).join() }
    }),
  )
  const unexpected = found.filter(({ name, schemas }) => schemas !== name)
  stage.verify(
    "each server holds one schema",
    unexpected.map(server => Bun.inspect(server)),
  )
}

/** Creates a database that shows all schemas, for tests that query several in one statement. */
async function newCombinedDatabase(servers: Postgres[]): Promise<string> {
  const url = servers[0]!.url.replace(/[^/]*$/, "combined")
  const server = postgres(servers[0]!.url, { max: 1 })
  await server`create database combined`
  await server.end()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`create extension postgres_fdw`
  for (const { name, port, password } of servers) {
    await sql.unsafe(`
      create server ${name} foreign data wrapper postgres_fdw
        options (host '127.0.0.1', port '${port}', dbname 'tributary');
      create user mapping for postgres server ${name}
        options (user 'postgres', password '${password}');
      create schema ${name};
      import foreign schema ${name} from server ${name} into ${name};
    `)
  }
  await sql.end()
  return url
}
