import { join } from "node:path"
import type { Scene } from "./scene"
import type { System } from "./system"

const DISTINCT_CLICKS = 20_000

/** Writes files of request bodies, one per line, into the data folder of the system under test. */
export function bodies({ dataDir, sql }: System, { program_id, codes }: Scene) {
  const write = async (name: string, lines: object[]) => {
    const file = join(dataDir, `${name}.jsonl`)
    await Bun.write(file, lines.map(line => `${JSON.stringify(line)}\n`).join(""))
    return file
  }

  /** Clicks as a browser sends them, on random links. */
  const clicks = (links: number) =>
    write(
      `clicks-${links}`,
      Array.from({ length: DISTINCT_CLICKS }, (_, i) =>
        click(randomItem(codes.slice(0, links)), i),
      ),
    )

  /** Leads of customers who have only clicked so far, one per customer. */
  async function leads(count: number) {
    const customers = await sql<{ click_id: string }[]>`
      select click_id
      from tracking.customers
      where program_id = ${program_id}
        and customer_status = 'click'
      order by id desc
      limit ${count}
    `
    const lead = ({ click_id }: { click_id: string }) => ({ click_id, customer_key: click_id })
    return write("leads", customers.map(lead))
  }

  /** Sales of customers of all partners, each with its own transaction_id. */
  async function sales(count: number) {
    const customers = await sql<{ customer_key: string }[]>`
      select customer_key
      from tracking.customers
      where program_id = ${program_id}
        and customer_key is not null
      order by random()
      limit ${count}
    `
    const sale = (_: unknown, i: number) => ({
      transaction_id: `order-${crypto.randomUUID()}`,
      amount_cents: 100 + i,
      customer_key: customers[i % customers.length]!.customer_key,
    })
    return write("sales", Array.from({ length: count }, sale))
  }

  return { clicks, leads, sales }
}

const randomItem = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(Math.random() * items.length)] as Item

const click = (code: string, i: number) => ({
  affiliate_url: `https://shop.example/shoes/running?utm_source=blog&aff=${code}`,
  page_url: `https://shop.example/shoes/running?utm_source=blog&aff=${code}`,
  page_title: "Running shoes for every season",
  referrer_url: "https://blog.example/2026/the-best-running-shoes",
  session_id: `session-${i}`,
  user_agent: `Mozilla/5.0 (${PLATFORMS[i % PLATFORMS.length]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${120 + (i % 20)}.0.0.0 Safari/537.36`,
  screen_resolution: "1920x1080",
  viewport_size: "1280x720",
  language: "en-GB",
  timezone: "Europe/London",
})

const PLATFORMS = [
  "Windows NT 10.0; Win64; x64",
  "Macintosh; Intel Mac OS X 10_15_7",
  "X11; Linux x86_64",
]
