-- oldest compatible: 0004
-- What is compared of a partner's address (lib/fields.ts). lower() does not know every letter in every
-- database, and the same letter may be written in two ways. Null: an older version has written the
-- row, which compares by lower() alone, or an older partner has the same address.
alter table partner_programs add column email_folded text;

-- A PostgreSQL without ICU folds the letters that its own locale knows.
do $$
declare
  locale text := case when to_regcollation('"und-x-icu"') is null then 'default' else 'und-x-icu' end;
begin
  execute format(
    'update partner_programs as partner
     set email_folded = folded
     from (
       select distinct on (program_id, folded) id, folded
       from partner_programs
       cross join lateral (select normalize(lower(email collate %I))) as same (folded)
       order by program_id, folded, id
     ) as oldest
     where partner.id = oldest.id',
    locale
  );
end $$;

-- Partners are few, and only who makes another one waits.
-- squawk-ignore require-concurrent-index-creation
create unique index on partner_programs (program_id, email_folded);
