-- oldest compatible: 0011
-- Keys of tracking's own, sealed with SECRET_KEY (lib/encryption.ts), so that they outlive it.
create table sealed_keys (
  name text primary key,
  sealed text not null
);
