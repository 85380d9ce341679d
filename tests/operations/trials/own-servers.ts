import postgres from "postgres"
import { newPostgres } from "../postgres"
import { onTopology } from "../topology"

const SERVICES = ["identity", "commissions", "tracking", "reporting"]

/** Each service on a PostgreSQL of its own, which holds no schema but its own. */
export const ownServers = onTopology("A server for each service", [], async stage => {
  const servers = await Promise.all(SERVICES.map(name => newPostgres(stage, name, "embedded")))
  const databases = Object.fromEntries(servers.map(({ name, url }) => [name, url]))
  return {
    servers: `four servers, ${servers[0]!.version}`,
    environment: {
      REPLICAS: "2",
      ...Object.fromEntries(
        servers.map(({ name, url }) => [`${name.toUpperCase()}_DATABASE_URL`, url]),
      ),
    },
    databases,
    async verify() {
      const found = await Promise.all(
        servers.map(async ({ name, url }) => [name, await schemasOf(url)]),
      )
      const strange = found.filter(([name, schemas]) => `${schemas}` !== name)
      stage.verify("each server holds one schema", strange.map(String))
      return []
    },
    unfit: {
      "roles.test.ts":
        "it tries what a role may do in the schemas of others, and here there are none",
    },
  }
})

async function schemasOf(url: string): Promise<string[]> {
  const sql = postgres(url, { max: 1 })
  const schemas = await sql<{ name: string }[]>`
    select nspname as name
    from pg_namespace
    where nspname = any(${SERVICES})
  `
  await sql.end()
  return schemas.map(({ name }) => name)
}
