import { majorText } from "../../../lib/money"
import type { Money, PostbackValues } from "./postback-values"

/**
 * A macro. `textOf` is its value, "" if absent. A number may also stand in JSON without quotes.
 */
export type Macro = { textOf: (values: PostbackValues) => string; isNumber: boolean }

type Read = (values: PostbackValues) => string | number | null | undefined

const text = (read: Read): Macro => ({
  textOf: values => String(read(values) ?? ""),
  isNumber: false,
})
const number = (read: Read): Macro => ({
  ...text(read),
  isNumber: true,
})

/** Every macro by its name in Tributary (behaviour 12.5.3). Aliases are in aliases.ts. */
export const MACROS = {
  partner_click_id: text(values => values.partner_click_id),
  sub1: text(values => values.sub1),
  sub2: text(values => values.sub2),
  sub3: text(values => values.sub3),
  sub4: text(values => values.sub4),
  sub5: text(values => values.sub5),
  click_ref: text(values => values.click_ref),
  event: text(values => values.event),
  status: text(values => values.status),
  payout: number(values => majorOf(values.payout)),
  payout_cents: number(values => values.payout?.cents),
  currency: text(values => values.payout?.currency),
  sale_amount: number(values => majorOf(values.sale_amount)),
  transaction_id: text(values => values.transaction_id),
  sale_id: number(values => values.sale_id),
  commission_id: number(values => values.commission_id),
  event_id: text(values => values.event_id),
  partner_id: number(values => values.partner_id),
  program_id: number(values => values.program_id),
  link_code: text(values => values.link_code),
  coupon_code: text(values => values.coupon_code),
  country: text(values => values.country),
  device_type: text(values => values.device_type),
  timestamp: number(values => secondsOf(values.at)),
  datetime: text(values => values.at.toISOString()),
  click_timestamp: number(values => secondsOf(values.clicked_at)),
  is_renewal: number(values => Number(values.is_renewal)),
  random: text(values => values.random),
} satisfies Record<string, Macro>

export type MacroName = keyof typeof MACROS

const majorOf = (money: Money | null) => money && majorText(money.cents, money.currency)
const secondsOf = (time: Date | null) => time && Math.floor(time.valueOf() / 1000)
