-- oldest compatible: 0004
-- A PostgreSQL without ICU folds the letters that its own locale knows; so does a database that is
-- not in UTF-8, which can neither normalize nor, maybe, ask ICU.
do $$
declare
  folded text := case
    when getdatabaseencoding() <> 'UTF8' then 'lower(email)'
    when to_regcollation('"und-x-icu"') is null then 'normalize(lower(email))'
    else 'normalize(lower(email collate "und-x-icu"))'
  end;
begin
  execute format(
    'update partner_programs as partner
     set email_folded = folded
     from (
       select distinct on (program_id, folded) id, folded
       from partner_programs
       cross join lateral (select %s) as same (folded)
       order by program_id, folded, id
     ) as oldest
     where partner.id = oldest.id',
    folded
  );
end $$;

-- Partners are few, and only who makes or changes one waits.
-- squawk-ignore require-concurrent-index-creation
create unique index on partner_programs (program_id, email_folded);
