import type { Send } from "../client"
import { differences, learned, time } from "../match"
import type { Click, Lead, Program, Sale } from "../state"
import { readPages } from "./pages"

type Row = { id: number; event_type: "click" | "lead" | "conversion"; timestamp: string }

/** Compares the whole event list: each event, its order, and that there is no other. */
export async function compareEvents(program: Program, send: Send): Promise<string[]> {
  const path = `/api/tracking/events/${program.id}`
  const rows: Row[] = await readPages(send, program.owner.session, path)
  const { clicks, leads, sales } = program
  return [
    ...compareKind("click", clicks.map(clickView), rows),
    ...compareKind("lead", leads.map(leadView), rows),
    ...compareKind("conversion", sales.map(saleView), rows),
    ...orderFaults(rows),
  ]
}

function compareKind(kind: Row["event_type"], views: object[], rows: Row[]): string[] {
  const shown = rows.filter(({ event_type }) => event_type === kind).reverse()
  const count = differences(views.length, shown.length, `number of ${kind} events`)
  if (count.length > 0) return count
  return views.flatMap((view, i) => differences(view, shown[i], `${kind} event ${i + 1}`))
}

/** By time, kind and id, each descending. */
function orderFaults(rows: Row[]): string[] {
  const key = ({ timestamp, event_type, id }: Row) =>
    `${timestamp} ${event_type} ${String(id).padStart(16, "0")}`
  return rows.flatMap((row, i) =>
    i > 0 && key(rows[i - 1]!) <= key(row)
      ? [`event list: ${key(rows[i - 1]!)} stands before ${key(row)}`]
      : [],
  )
}

const clickView = (click: Click) => ({
  id: learned(click, "id"),
  event_type: "click",
  timestamp: time(click.at),
  click_id: click.click_id,
  session_id: click.session_id,
  page_url: click.page_url,
  referrer_url: click.referrer_url,
  geo_country: null,
  geo_region: null,
  geo_city: null,
  device_type: click.device_type,
  device_os: click.device_os,
  browser_name: click.browser_name,
  converted: click.converted,
  createdAt: time(click.at),
})

const leadView = (lead: Lead) => ({
  id: learned(lead, "id"),
  event_type: "lead",
  timestamp: time(lead.at),
  click_id: lead.click_id,
  customer_key: lead.key,
  session_id: lead.session_id,
  page_url: lead.page_url,
  converted: lead.converted,
  createdAt: time(lead.at),
})

const saleView = (sale: Sale) => ({
  id: learned(sale, "id"),
  event_type: "conversion",
  timestamp: time(sale.at),
  click_id: sale.click_id,
  amount_cents: sale.amount_cents,
  currency: sale.currency,
  sale_type: sale.sale_type,
  payment_status: "paid",
  processor_event_id: sale.transaction_id,
  is_recurring: sale.is_recurring,
  createdAt: time(sale.at),
})
