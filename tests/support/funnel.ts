import type postgres from "postgres"
import { retryOnConflict } from "../../lib/db/pool"
import type { ClockedProgram, ClockedSystem } from "./clocked-system"

export type Move =
  | { what: "click"; who: number; link: number }
  | { what: "lead"; who: number; has_token: boolean }
  | { what: "sale"; who: number; amount_cents: number; currency: string; renews: boolean }
  | { what: "refund"; sale: number; refund_amount_cents: number }
  | { what: "test"; kind: "click" | "lead" | "sale" }
  | { what: "partner" }

const LINKS = 3

/** What the customers of a program do, by customer number. Refusals are ignored. */
export async function newFunnel(
  { unique }: Pick<ClockedSystem, "unique">,
  { id, track, addPartner }: ClockedProgram,
) {
  const codes: string[] = []
  while (codes.length < LINKS) codes.push(await addPartner())
  const urlOf = (link: number) => `https://shop.example/?aff=${codes[link]}`
  const click_ids = new Map<number, string>()
  const sold: string[] = []

  async function perform(move: Move): Promise<unknown> {
    if (move.what === "partner") return addPartner()
    if (move.what === "test") {
      const additional_data = { test_mode: true, program_id: id }
      return track(move.kind, { affiliate_url: urlOf(0), additional_data })
    }
    if (move.what === "refund") {
      const { sale, refund_amount_cents } = move
      return track("refund", {
        transaction_id: sold[sale % sold.length] ?? "none",
        refund_amount_cents,
      })
    }

    const click_id = click_ids.get(move.who)
    const customer_key = `${id} ${move.who}`
    if (move.what === "lead") return track("lead", { click_id, customer_key }, move.has_token)
    if (move.what === "click") {
      const click = { affiliate_url: urlOf(move.link), existing_click_id: click_id }
      return click_ids.set(move.who, (await track("click", click)).body.click_id)
    }
    const { amount_cents, currency } = move
    const transaction_id = unique("order")
    const renewal = move.renews ? { is_recurring: true, subscription_id: customer_key } : {}
    const sale = { transaction_id, amount_cents, currency, click_id, ...renewal }
    if ((await track("sale", sale)).status === 200) sold.push(transaction_id)
  }

  return { perform }
}

/** Inserts clicks of a customer in a transaction. Returns the function that commits it. */
export async function openClicks(sql: postgres.Sql, program_id: number, at: string, count: number) {
  const [open, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // tracking may be making the partition of the month meanwhile
  const ended = retryOnConflict(() =>
    sql.begin(async sql => {
      await sql`
      insert into tracking.affiliate_click_events (
        program_id, click_id, customer_id, partner_id, link_id, window_days,
        click_timestamp, created_at, final_xact
      )
      select
        program_id, click_id, id, partner_id, link_id, window_days,
        ${at}::timestamptz, ${at}::timestamptz, pg_current_xact_id()
      from
        (select * from tracking.customers where program_id = ${program_id} limit 1) as customer,
        generate_series(1, ${count}::int)
    `
      open.resolve()
      await end.promise
    }),
  )
  await open.promise
  return () => {
    end.resolve()
    return ended
  }
}
