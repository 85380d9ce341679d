import type postgres from "postgres"

const SERVICES = ["tracking", "commissions"] as const
export type Clocked = (typeof SERVICES)[number]

/** The search path of a service: there, `now()` is the service's own clock, which may step. */
export const searchPathOf = (service: string) => `clock_${service}, ${service}, pg_catalog`

/** Gives each service a clock of its own: the real one and a step. Run it once, on migrated schemas. */
export async function installClocks(superuser: postgres.Sql) {
  for (const service of SERVICES) {
    const clock = `clock_${service}`
    await superuser
      .unsafe(`
        create schema ${clock};
        create table ${clock}.step (seconds int not null);
        insert into ${clock}.step values (0);
        create function ${clock}.now() returns timestamptz language sql stable as $$
          select pg_catalog.now() + (select seconds from ${clock}.step) * interval '1 second'
        $$;
        grant usage on schema ${clock} to public;
        grant select on ${clock}.step to public;
      `)
      .simple()
    const defaults = await superuser<{ column: string; expression: string }[]>`
      select
        format('%s alter column %I', attribute.attrelid::regclass, attname) as column,
        pg_get_expr(adbin, adrelid) as expression
      from pg_attrdef
      join pg_attribute as attribute on attribute.attrelid = adrelid and attnum = adnum
      join pg_class on pg_class.oid = adrelid
      where relnamespace = ${service}::regnamespace
        and pg_get_expr(adbin, adrelid) ~ '\\mnow\\(\\)'
    `
    for (const { column, expression } of defaults) {
      const stepping = expression.replaceAll("now()", `${clock}.now()`)
      await superuser.unsafe(`alter table ${column} set default ${stepping}`)
    }
  }
}

/** Sets the clock of a service to this many seconds from the real one. */
export const stepClock = (superuser: postgres.Sql, service: Clocked, seconds: number) =>
  superuser.unsafe(`update clock_${service}.step set seconds = ${seconds}`)

export async function setClocks(superuser: postgres.Sql, seconds: number) {
  for (const service of SERVICES) await stepClock(superuser, service, seconds)
}

/** What a clock may show, in seconds from the real one. */
export const STEPS_SECONDS = [-3 * 3_600, -10, 0, 10, 20 * 3_600]
export const LAST_STEP_SECONDS = Math.max(...STEPS_SECONDS)
