import type { Program } from "../state"
import type { World } from "../world"

const CURRENCIES = ["USD", "USD", "EUR", "JPY", "KWD"]
const AMOUNTS = [() => 100, () => 10_000, () => 10_000_000, () => 2 ** 40]
export const PRODUCTS = ["sku-1", "sku-2", "sku-3"]

/** The fields of a sale, and whether its transaction_id is already recorded. */
export function randomSale(program: Program, world: World) {
  const { random, sales } = program
  const dice = random.fraction()
  const isDuplicate = dice < 0.05 && sales.length > 0
  const foreign = world.transaction_ids.filter(sale => sale.program !== program)
  const isForeign = dice > 0.98 && foreign.length > 0
  const transaction_id = isDuplicate
    ? random.pick(sales).transaction_id
    : isForeign
      ? random.pick(foreign).id
      : `order ${program.number}-${++program.serial}`

  const subscribed = sales.filter(({ subscription_id }) => subscription_id)
  const renewed = random.happens(0.2) && subscribed.length > 0 ? random.pick(subscribed) : undefined
  const subscription_id =
    renewed?.subscription_id ??
    (random.happens(0.25) ? `sub ${program.number}-${program.serial}` : null)
  const currency = random.happens(0.6) ? program.currency : random.pick(CURRENCIES)
  const fields = {
    transaction_id,
    amount_cents: 1 + random.below(random.pick(AMOUNTS)()),
    currency,
    sale_type: subscription_id ? "subscription" : "payment",
    is_recurring: renewed ? true : random.happens(0.1),
    subscription_id,
    subscription_interval: subscription_id ? random.pick(["monthly", "annual"]) : null,
    product_id: random.happens(0.4) ? random.pick(PRODUCTS) : null,
    line_items: random.happens(0.2) ? random.pick([{ "sku-1": 2 }, [{ a: 1 }, { b: [2] }]]) : null,
  }
  return { fields, isDuplicate, isForeign }
}
