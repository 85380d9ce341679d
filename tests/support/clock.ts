import type postgres from "postgres"

/**
 * Takes the clock of a database in hand: `now()` says in every session what it was last set to.
 * PostgreSQL runs a built-in function without looking at its definition, but writes one in SQL
 * out where it is called (an inlined call), so now() is redefined as a call of ours. What sessions
 * have planned before does not know: they are ended, and the pools open others.
 */
export async function holdClock(sql: postgres.Sql) {
  await sql.unsafe(`
    create schema clock;
    create table clock.hand (at timestamptz(3));
    insert into clock.hand values (null);
    create function clock.reads() returns timestamptz stable language sql
      as 'select coalesce((select at from clock.hand), transaction_timestamp())';
    create or replace function pg_catalog.now() returns timestamptz stable language sql
      as 'select clock.reads()';
    grant usage on schema clock to public;
    grant select on clock.hand to public;
    select pg_terminate_backend(pid, 5000) -- ms; it waits for their end
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  `)

  return {
    set: (at: string) => sql`update clock.hand set at = ${at}`,
    letGo: () => sql`update clock.hand set at = null`,
  }
}
