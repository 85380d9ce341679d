import type postgres from "postgres"

/**
 * Controls the clock of a database: `now()` returns the time that was last set, in every session.
 * PostgreSQL runs a built-in function without reading its definition, but inlines a function in
 * SQL, so now() is redefined as a call of our function. Existing sessions have plans with the old
 * one, so they are terminated, and the pools open new ones.
 */
export async function controlClock(sql: postgres.Sql) {
  await sql.unsafe(`
    create schema clock;
    create table clock.hand (at timestamptz(3), ahead interval not null default '0');
    insert into clock.hand values (null);
    create function clock.reads() returns timestamptz stable language sql
      as 'select coalesce((select at from clock.hand), transaction_timestamp() + (select ahead from clock.hand))';
    create or replace function pg_catalog.now() returns timestamptz stable language sql
      as 'select clock.reads()';
    grant usage on schema clock to public;
    grant select on clock.hand to public;
    select pg_terminate_backend(pid, 5000) -- waits until they have ended, for this many ms
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  `)

  return {
    set: (at: string) => sql`update clock.hand set at = ${at}`,
    /** The clock goes on, so many milliseconds ahead of the machine's. */
    setAhead: (ms: number) => sql`update clock.hand set ahead = ${`${ms} milliseconds`}::interval`,
    release: () => sql`update clock.hand set at = null`,
  }
}
