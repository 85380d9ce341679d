import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { isLinkCode } from "../links/links"
import { quotaReached } from "../quota/quota"
import { storeClick } from "./click-batch"
import { generateClickId } from "./click-id"
import { visitOf } from "./visit"

/** Derives all it can before the click joins a batch, whose transaction should stay short. */
export async function recordClick(request: RequestOf<typeof contract.recordClick>) {
  const { code, click, address } = request
  if (!isLinkCode(code)) throw unknownCode()

  const click_id = generateClickId()
  const visit = visitOf(click, address)
  const stored = await storeClick(Object.assign(visit, { code, click_id }))
  switch (stored.outcome) {
    case "no link":
      throw unknownCode()
    case "misconfigured":
      throw new Fault("invalid", "The configuration of this referral link is invalid.")
    case "inactive":
      return { is_recorded: false as const }
    case "over quota":
      throw quotaReached()
    case "recorded":
      return {
        is_recorded: true as const,
        click_id: stored.known_click_id ?? click_id,
        partner_code: code,
        cookie_window_days: stored.window_days,
      }
  }
}

const unknownCode = () => new Fault("invalid", "No referral link matches the aff parameter.")
