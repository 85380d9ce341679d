-- oldest compatible: 0004
-- How a program looks to its partners. Null: nothing was chosen.
create table program_brandings (
  program_id bigint primary key references programs on delete cascade,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  welcome text,
  logo bytea, -- WebP, as encoded here
  logo_hash text, -- names it in its address
  updated_at timestamptz(3) not null default now(),
  check ((logo is null) = (logo_hash is null))
);

create index on program_brandings (logo_hash);

-- What partners of a program agree to. Each change is a version; none is changed or deleted.
create table program_terms (
  program_id bigint not null references programs on delete cascade,
  version int not null check (version > 0),
  text text not null, -- empty: no terms from then on
  created_at timestamptz(3) not null default now(),
  primary key (program_id, version)
);
