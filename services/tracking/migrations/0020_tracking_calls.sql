-- oldest compatible: 0011
-- The newest refused calls to the tracking endpoints, for the people who integrate them.
create table tracking_calls (
  id bigint generated always as identity primary key,
  program_id bigint not null,
  at timestamptz(3) not null,
  route text not null check (route in ('click', 'lead', 'sale', 'refund')),
  status int not null,
  error text, -- null: it was not refused
  fields jsonb not null -- what was sent: names, and the values of ids and codes
);

create index on tracking_calls (program_id, id);
create index on tracking_calls (at);
