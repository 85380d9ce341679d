import { Fault } from "../../../lib/fault"
import { isCurrency } from "../../../lib/money"
import { checkPolicy, type Policy } from "../../commissions/contract"
import type { NewProgram, Program } from "../contract"

/** The settings that a workspace chooses for its program. */
export type Settings = Pick<
  Program,
  | "name"
  | "slug"
  | "website_url"
  | "status"
  | "currency"
  | "attribution_model"
  | "cookie_window_days"
  | "lead_auth"
  | "share_sale_amount"
> & { commission: Policy | null } // a new policy for the Default group; null: unchanged

/** The default settings of a new program. */
export const DEFAULT_SETTINGS = {
  website_url: null,
  status: "active",
  currency: "USD",
  attribution_model: "last_click",
  cookie_window_days: 60,
  lead_auth: "browser",
  share_sale_amount: false,
  commission: null, // commissions has a default policy
} as const

export function settingsOf(program: Program): Settings {
  const { name, slug, website_url, status, currency } = program
  const { attribution_model, cookie_window_days, lead_auth, share_sale_amount } = program
  const tracking = { attribution_model, cookie_window_days, lead_auth, share_sale_amount }
  return { name, slug, website_url, status, currency, ...tracking, commission: null }
}

/** The given fields as they are stored. Throws "invalid" for what their schema cannot check. */
export function checkSettings<Fields extends Partial<NewProgram>>(
  fields: Fields,
  isNew: boolean,
): Fields {
  const { website_url, currency, commission } = fields
  if (commission) checkPolicy(commission, isNew)
  if (typeof website_url === "string" && !isWebUrl(website_url)) {
    throw new Fault("invalid", "website_url must be an http or https URL.")
  }
  if (currency === undefined) return fields
  const code = currency.toUpperCase()
  if (isCurrency(code)) return { ...fields, currency: code }
  throw new Fault("invalid", "currency must be an ISO 4217 code like USD.")
}

const isWebUrl = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
