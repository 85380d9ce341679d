import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { SERVICE_NAMES } from "../../deploy/part"
import { runAudit } from "../support/commands"
import { type Launcher, launch } from "../support/launcher"
import { stopTributary } from "../support/tributary-process"

const TIMEOUT_MS = 90_000
const DENIED = "42501" // insufficient_privilege
const LOGINS = SERVICE_NAMES.map(name => `tributary_${name}`)

const superuserUrl = async ({ data_dir }: Launcher): Promise<string> =>
  (await Bun.file(join(data_dir, "postgres.json")).json()).url

describe.each([
  ["in one process", { PROCESSES: "one" }],
  ["in separate processes", { PROCESSES: "separate" }],
])("%s, each service has a login of its own:", (_where, environment) => {
  let launcher: Launcher
  let sql: postgres.Sql

  beforeAll(async () => {
    if (environment.PROCESSES === "separate" && !Bun.which("nats-server")) return
    launcher = await launch(environment)
    await launcher.ready
    sql = postgres(await superuserUrl(launcher), { max: 1, onnotice: () => {} })
  }, TIMEOUT_MS)
  afterAll(() => sql?.end())

  test("all sessions are those of the logins", async () => {
    const sessions = await sql`
      select distinct usename as user
      from pg_stat_activity
      where datname = 'tributary' and pid <> pg_backend_pid()
    `
    expect(sessions.map(({ user }) => user).toSorted()).toEqual(LOGINS.toSorted())
  })

  test("a login is no superuser, creates nothing, and is a member of no role", async () => {
    const roles = await sql`
      select rolname
      from pg_roles
      where rolname = any(${sql.array(LOGINS)}) and rolcanlogin
        and not (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication)
        and not exists (select from pg_auth_members where member = pg_roles.oid)
    `
    expect(roles.length).toBe(LOGINS.length)
  })

  test.each(SERVICE_NAMES)("RESET ROLE gains %s nothing", async service => {
    const other = service === "tracking" ? "commissions" : "tracking"
    const login = await connectAs(service)
    const codeOf = (statement: string) =>
      login.unsafe(statement).then(
        () => null,
        error => error.code,
      )
    expect(await codeOf("reset role")).toBeNull()
    expect(await codeOf("reset session authorization")).toBeNull()
    expect((await login`select current_user as user`)[0]!.user).toBe(`tributary_${service}`)
    for (const statement of [
      `select from ${other}.migrations`,
      `create table ${service}.mine (id int)`,
      `alter table ${service}.migrations add column mine int`,
      `set role tributary_${other}`,
      "set role postgres",
      "create role mine",
    ]) {
      expect(await codeOf(statement), statement).toBe(DENIED)
    }
    await login.end()
  })

  /** Connects as a service does, with a password that this test sets. */
  async function connectAs(service: string) {
    const url = new URL(await superuserUrl(launcher))
    const verifiers =
      await sql`select rolpassword from pg_authid where rolname = ${`tributary_${service}`}`
    expect(verifiers[0]!.rolpassword).toStartWith("SCRAM-SHA-256$")
    await sql.unsafe(`alter role tributary_${service} password 'known'`)
    url.username = `tributary_${service}`
    url.password = "known"
    return postgres(url.href, { max: 1, onnotice: () => {} })
  }
})

describe.skipIf(!Bun.which("nats-server"))("the environment of a process holds", () => {
  let launcher: Launcher
  beforeAll(async () => {
    launcher = await launch({ PROCESSES: "separate" })
    await launcher.ready
  }, TIMEOUT_MS)

  const environmentOf = async (part: string) => {
    const { pid } = (await launcher.processes()).find(({ name }) => name === part)!
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")
  }
  const databasesIn = async (part: string) =>
    (await environmentOf(part))
      .filter(variable => /^\w+=postgres(ql)?:/.test(variable))
      .map(variable => variable.replace(/=postgres:\/\/(\w+):.*/, " $1"))

  test("no database URL in the gateway", async () => {
    expect(await databasesIn("gateway")).toEqual([])
  })

  test.each(SERVICE_NAMES)("only the login of its own in %s", async service => {
    expect(await databasesIn(service)).toEqual([
      `${service.toUpperCase()}_DATABASE_URL tributary_${service}`,
    ])
  })
})

describe("a database of the operator's", () => {
  let host: Launcher
  let server: postgres.Sql
  beforeAll(async () => {
    host = await launch()
    await host.ready
    server = postgres(await superuserUrl(host), { max: 1, onnotice: () => {} })
  }, TIMEOUT_MS)
  afterAll(() => server?.end())

  /** Creates a database for a new user with these attributes, who owns it. Returns its URL. */
  async function databaseOf(name: string, attributes: string): Promise<string> {
    await server.unsafe(`create role ${name}_user login ${attributes} password 'secret'`)
    await server.unsafe(`create database ${name} owner ${name}_user`)
    const url = new URL(await superuserUrl(host))
    url.username = `${name}_user`
    url.password = "secret"
    url.pathname = `/${name}`
    return url.href
  }
  const usersIn = async (database: string) => {
    const sessions = await server`
      select distinct usename as user
      from pg_stat_activity
      where datname = ${database}
    `
    return sessions.map(({ user }) => user).toSorted()
  }

  test.each([
    ["one", "createrole"],
    ["separate", "createrole"],
  ])(
    "whose user may create roles: %s, no session is the owner's",
    async (PROCESSES, attributes) => {
      const name = `may_${PROCESSES}`
      const launcher = await launch({ PROCESSES, DATABASE_URL: await databaseOf(name, attributes) })
      expect((await fetch(`${await launcher.ready}/status`)).status).toBe(200)
      expect(await usersIn(name)).toEqual(
        SERVICE_NAMES.map(service => `${name}_${service}`).toSorted(),
      )
      expect(launcher.output()).not.toContain("less separation")
      await stopTributary(launcher)
    },
    TIMEOUT_MS,
  )

  test.each(["one", "separate"])(
    "whose user may create no role: %s, it works as that user, and says so",
    async PROCESSES => {
      const name = `plain_${PROCESSES}`
      const DATABASE_URL = await databaseOf(name, "")
      const launcher = await launch({ PROCESSES, DATABASE_URL })
      expect((await fetch(`${await launcher.ready}/status`)).status).toBe(200)
      expect(await usersIn(name)).toEqual([`${name}_user`])
      expect(launcher.output()).toContain("The user of its database URL cannot create roles")
      await stopTributary(launcher)

      const again = await launch({ PROCESSES, DATABASE_URL, DATA_DIR: launcher.data_dir })
      expect((await fetch(`${await again.ready}/status`)).status).toBe(200)
      await stopTributary(again)
    },
    TIMEOUT_MS,
  )

  test.each(["one", "separate"])(
    "whose user may create roles only after the tables were made: %s, it stays with that user",
    async PROCESSES => {
      const name = `late_${PROCESSES}`
      const DATABASE_URL = await databaseOf(name, "")
      const first = await launch({ PROCESSES, DATABASE_URL })
      await first.ready
      await stopTributary(first)

      await server.unsafe(`alter role ${name}_user createrole`)
      const again = await launch({ PROCESSES, DATABASE_URL, DATA_DIR: first.data_dir })
      expect((await fetch(`${await again.ready}/status`)).status).toBe(200)
      expect(await usersIn(name)).toEqual([`${name}_user`])
      expect(again.output()).toContain("or could not when the tables were made")
      expect(await runAudit(first.data_dir, { DATABASE_URL })).toMatchObject({ code: 0 })
      await stopTributary(again)
    },
    TIMEOUT_MS,
  )

  test(
    "that is not migrated is refused to a service that knows only its login",
    async () => {
      const url = new URL(await databaseOf("unmigrated", ""))
      await server.unsafe("create role unmigrated_identity login password 'secret'")
      url.username = "unmigrated_identity"
      const child = Bun.spawn([process.execPath, "deploy/service.ts"], {
        cwd: join(import.meta.dir, "../.."),
        env: {
          ...process.env,
          DATABASE_URL: "",
          SERVICE: "identity",
          IDENTITY_DATABASE_URL: url.href,
          SECRET_KEY: "a key of a test, which is long enough",
        },
        stdio: ["ignore", "pipe", "pipe"],
      })
      expect(await new Response(child.stderr).text()).toBe(
        "The schema identity lacks 0001_tables.sql, and this process may not migrate it." +
          " Run the image with SERVICE=migrate first.\n",
      )
      expect(await child.exited).toBe(1)
    },
    TIMEOUT_MS,
  )
})
