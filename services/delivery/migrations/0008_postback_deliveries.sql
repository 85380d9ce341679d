-- oldest compatible: 0001
-- Postbacks go through the queue of webhooks. Those of a partner's account share the limits of hosts
-- among themselves, as those of a workspace do: there its number is the account's, negated.
-- The table has few rows, so its index is built and its rows are checked at once.
-- squawk-ignore disallowed-unique-constraint, adding-foreign-key-constraint
alter table receivers add column postback_id bigint unique references postbacks on delete set null;
-- squawk-ignore constraint-missing-not-valid
alter table receivers add check (endpoint_id is null or postback_id is null);

-- Whether and where a receiver wants what is delivered, whichever kind it is.
create view destinations as
select
  receivers.id as receiver_id,
  coalesce(endpoint.url, postback.url) as url,
  coalesce(endpoint.status, postback.status) as status,
  coalesce(endpoint.events, postback.events) as events,
  case
    when postback.program_id is not null then array[postback.program_id]
    else endpoint.program_ids
  end as program_ids
from receivers
left join webhook_endpoints as endpoint on endpoint.id = endpoint_id
left join postbacks as postback on postback.id = postback_id
where endpoint_id is not null
  or postback_id is not null;

-- How far postbacks have been queued in the event log of each program.
create table postback_logs (
  program_id bigint primary key,
  last_sequence bigint not null check (last_sequence >= 0)
);

insert into postback_logs (program_id, last_sequence)
select program_id, last_sequence
from event_logs;
