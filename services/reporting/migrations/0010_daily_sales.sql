-- oldest compatible: 0004
lock table cursors; -- first, as whoever applies a batch does

-- How many sales each day had of each partner, link and country, by the dimensions and values of
-- daily_breakdown, whose conversions leave out repeated sales. Triggers keep them, so that they are
-- right while a version that does not know them applies batches, too.
create table daily_sales (
  program_id bigint,
  dimension text collate "C",
  value text collate "C",
  day date,
  sales bigint not null,
  primary key (program_id, dimension, value, day)
) with (fillfactor = 80);

create function sale_values(partner_id bigint, link_id bigint, geo_country text)
returns table (dimension text, value text)
language sql immutable as $$
  values ('partner', partner_id::text), ('link', link_id::text), ('country', coalesce(geo_country, ''))
$$;

create function count_sale() returns trigger language plpgsql as $$
declare
  sale record := new;
  counted int := 1;
begin
  if tg_op = 'DELETE' then
    sale := old;
    counted := -1;
  end if;
  insert into reporting.daily_sales as kept (program_id, dimension, value, day, sales)
  select sale.program_id, dimension, value, (sale.timestamp at time zone 'UTC')::date, counted
  from reporting.sale_values(sale.partner_id, sale.link_id, sale.geo_country)
  on conflict (program_id, dimension, value, day) do update
  set sales = kept.sales + excluded.sales;
  return null;
end
$$;

create function forget_sales() returns trigger language plpgsql as $$
begin
  delete from reporting.daily_sales;
  return null;
end
$$;

create trigger sale_is_stored after insert on events
  for each row when (new.event_type = 'conversion') execute function count_sale();
create trigger sale_is_deleted after delete on events
  for each row when (old.event_type = 'conversion') execute function count_sale();
create trigger sales_are_truncated after truncate on events
  for each statement execute function forget_sales();

insert into daily_sales (program_id, dimension, value, day, sales)
select program_id, dimension, value, (timestamp at time zone 'UTC')::date as day, count(*)
from events
cross join lateral sale_values(partner_id, link_id, geo_country)
where event_type = 'conversion'
group by program_id, dimension, value, day;

-- Sales are not counted by these any more. Dropping them takes a moment.
-- squawk-ignore require-concurrent-index-deletion
drop index events_program_id_partner_id_timestamp_idx;
-- squawk-ignore require-concurrent-index-deletion
drop index events_program_id_link_id_timestamp_idx;
-- squawk-ignore require-concurrent-index-deletion
drop index events_program_id_geo_country_timestamp_idx;
