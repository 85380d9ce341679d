-- oldest compatible: 0004
-- What is compared of a partner's address (lib/fields.ts). lower() does not know every letter in every
-- database, and the same letter may be written in two ways. Null: an older version has written the
-- row, which compares by lower() alone, or an older partner has the same address.
-- The next migration fills it: what it takes to add a column would hold back sales all the while.
alter table partner_programs add column email_folded text;
