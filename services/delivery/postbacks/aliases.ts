import { MACROS, type MacroName } from "./macros"

/** Whose meaning the macros of a template have (behaviour 12.5.4). */
export const DIALECTS = ["tributary", "everflow", "tune", "affise"] as const
export type Dialect = (typeof DIALECTS)[number]

/** The macro that a template of this dialect means by `name`. Null: there is none. */
export const macroNameOf = (name: string, dialect: Dialect): MacroName | null =>
  DIFFERENT[dialect].get(name) ?? NAMES.get(name) ?? null

const ALIASES: Partial<Record<MacroName, string>> = {
  partner_click_id: "aff_click_id external_id externalid",
  sub1: "subid sub_id subid1 s1 aff_sub",
  sub2: "subid2 s2 aff_sub2",
  sub3: "subid3 s3 aff_sub3",
  sub4: "subid4 s4 aff_sub4",
  sub5: "subid5 s5 aff_sub5",
  click_ref: "click_id clickid",
  event: "event_name goal",
  status: "cnv_status",
  payout: "payout_amount sum",
  currency: "payout_currency cnv_currency",
  sale_amount: "amount order_sum",
  transaction_id: "order_id",
  sale_id: "conversion_id",
  commission_id: "tid txid",
  partner_id: "affiliate_id aff_id pid",
  program_id: "offer_id offerid",
  coupon_code: "promo_code",
  country: "geo country_code",
  datetime: "date",
  random: "rand",
}

/** The other names of a macro in every dialect. */
export const aliasesOf = (macro: MacroName): string[] => ALIASES[macro]?.split(" ") ?? []

const NAMES = new Map(
  (Object.keys(MACROS) as MacroName[]).flatMap(macro =>
    [macro, ...aliasesOf(macro)].map((name): [string, MacroName] => [name, macro]),
  ),
)

/** Networks whose conversions carry the id of the click call that id `{transaction_id}`. */
const CLICK_AS_TRANSACTION = new Map<string, MacroName>([["transaction_id", "click_ref"]])

/** The names that mean another macro in a dialect than in the others, or nothing there. */
export const differencesOf = (dialect: Dialect): { name: string; macro: MacroName }[] =>
  Array.from(DIFFERENT[dialect], ([name, macro]) => ({ name, macro }))

const DIFFERENT: Record<Dialect, Map<string, MacroName>> = {
  tributary: new Map(),
  everflow: CLICK_AS_TRANSACTION,
  tune: CLICK_AS_TRANSACTION,
  affise: new Map([["transactionid", "transaction_id"]]),
}
