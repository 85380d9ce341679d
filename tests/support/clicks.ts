import { send, sql } from "./world"

export const urlOf = (code: string) => `https://shop.example/?aff=${code}`

export const click = (code: string, fields: object = {}, headers: Record<string, string> = {}) =>
  send("POST", "/api/v1/track/click", { body: { affiliate_url: urlOf(code), ...fields }, headers })

/** The newest click of a customer, as stored. */
export async function storedClick(click_id: string) {
  const [event] = await sql`
    select *
    from tracking.affiliate_click_events
    where click_id = ${click_id}
    order by id desc
    limit 1
  `
  return event!
}

export async function customerOf(click_id: string) {
  const [customer] = await sql`
    select *
    from tracking.customers
    where click_id = ${click_id}
      and names_click
  `
  return customer!
}

/** The number of stored clicks of a program, and the sums of its link and partner counters. */
export async function countClicks(program_id: number) {
  const [counted] = await sql<[{ events: number; links: number; partners: number }]>`
    select
      (select count(*) from tracking.affiliate_click_events
        where program_id = ${program_id} and not is_test) as events,
      (select sum(clicks) from tracking.counted_links
        where program_id = ${program_id})::bigint as links,
      (select sum(clicks) from tracking.counted_partners
        where program_id = ${program_id})::bigint as partners
  `
  return counted
}
