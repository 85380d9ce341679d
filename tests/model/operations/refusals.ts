import { text } from "../match"
import { newMoment } from "../moment"
import type { Program } from "../state"
import type { Operation } from "./operation"

const WRONG_SUM = `aff_${"a".repeat(38)}`

type Malformed = [what: string, body: Record<string, unknown>, needsToken: boolean]

/** Requests that are refused whatever the state is, and change nothing. */
export function malformed(program: Program): Operation {
  const { random } = program
  const click_id = program.customers.at(-1)?.click_id ?? "clk_none"
  const sale = {
    transaction_id: `bad ${program.number}-${++program.serial}`,
    amount_cents: 100,
    click_id,
  }
  const [what, body, needsToken] = random.pick<Malformed>([
    ["click", {}, false],
    ["click", { affiliate_url: "no url" }, false],
    ["click", { affiliate_url: "https://shop.example/?ref=x" }, false],
    ["click", { affiliate_url: `https://shop.example/?aff=none-${program.number}` }, false],
    ["click", { affiliate_url: "https://shop.example/#aff=x" }, false],
    ["lead", {}, false],
    ["lead", { email: "ada@shop.example" }, true],
    ["lead", { customer_key: "k".repeat(256), click_id }, true],
    ["sale", { ...sale, transaction_id: undefined }, true],
    ["sale", { ...sale, transaction_id: 7 }, true],
    ["sale", { ...sale, amount_cents: undefined }, true],
    ["sale", { ...sale, amount_cents: 0 }, true],
    ["sale", { ...sale, amount_cents: -5 }, true],
    ["sale", { ...sale, amount_cents: 1.5 }, true],
    ["sale", { ...sale, amount_cents: "100" }, true],
    ["sale", { ...sale, currency: "XXY" }, true],
    ["sale", { ...sale, sale_type: "gift" }, true],
    ["sale", { ...sale, is_recurring: "yes" }, true],
    ["sale", { ...sale, subscription_interval: "daily" }, true],
    ["sale", { ...sale, click_id: undefined }, true],
    ["sale", { ...sale, additional_data: { test_mode: "yes" } }, true],
    ["refund", {}, true],
    ["refund", { transaction_id: sale.transaction_id, refund_amount_cents: -1 }, true],
    ["refund", { transaction_id: sale.transaction_id, refund_amount_cents: 0.5 }, true],
    ["refund", { transaction_id: sale.transaction_id, refund_id: "" }, true],
  ])
  return {
    kind: `malformed ${what}`,
    method: "POST",
    path: `/api/v1/track/${what}`,
    token: needsToken ? program.api_token : undefined,
    body,
    about: [],
    at: newMoment(),
    status: needsToken && what !== "refund" && program.status === "archived" ? 401 : 400,
    expected: { error: text() },
  }
}

export function wrongToken(program: Program): Operation {
  const { random, owner, old_tokens } = program
  const what = random.pick(["lead", "sale", "refund"])
  const click_id = program.customers.at(-1)?.click_id ?? "clk_none"
  const body = {
    click_id,
    transaction_id: `bad ${program.number}-${++program.serial}`,
    amount_cents: 100,
  }
  const wrong = [WRONG_SUM, "nonsense", owner.session, owner.key, ...old_tokens.slice(-1)]
  const token = what === "lead" ? random.pick(wrong) : random.pick([...wrong, undefined])
  return {
    kind: `wrong token ${what}`,
    method: "POST",
    path: `/api/v1/track/${what}`,
    token,
    body,
    about: ["tokens"],
    at: newMoment(),
    status: 401,
    expected: { error: text() },
  }
}
