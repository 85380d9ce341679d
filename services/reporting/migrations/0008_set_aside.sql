-- oldest compatible: 0004
-- Rows of a feed that could not be applied. They are tried again until they can be.
create table set_aside (
  id bigint generated always as identity primary key,
  feed text not null,
  row text not null, -- JSON, as the owner of the feed sent it
  reason text not null, -- of the last try
  tries int not null default 1,
  set_aside_at timestamptz(3) not null default now(),
  tried_at timestamptz(3) not null default now()
);

create index on set_aside (tried_at);

grant truncate on set_aside to :role;
