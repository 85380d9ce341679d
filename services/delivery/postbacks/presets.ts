/** What the query of a postback to a tracker must have, in the dialect tributary. */
export const PRESETS = {
  voluum: "cid={partner_click_id}&payout={payout}&txid={commission_id}&et={event}",
  binom: "cnv_id={partner_click_id}&payout={payout}&cnv_status={status}&cnv_currency={currency}",
  keitaro:
    "subid={partner_click_id}&status={status:approved=sale,rejected=rejected}&payout={payout}&tid={commission_id}",
}

export type Tracker = keyof typeof PRESETS

/**
 * The template of a postback to a tracker (behaviour 12.5.5), from the URL that the tracker shows,
 * like `https://track.example/postback?cid=REPLACE&payout=OPTIONAL`. Parameters of the preset replace
 * those of the URL, others stay. Its dialect is tributary.
 */
export function presetUrl(tracker: Tracker, base_url: string): string {
  const preset = PRESETS[tracker]
  const filled = new Set(preset.split("&").map(nameOf))

  const [withoutFragment] = base_url.trim().split("#") as [string]
  const [address, ...query] = withoutFragment.split("?") as [string, ...string[]]
  const kept = query
    .join("?")
    .split("&")
    .filter(parameter => parameter !== "" && !filled.has(nameOf(parameter)))
  return `${address}?${[...kept, preset].join("&")}`
}

const nameOf = (parameter: string) => parameter.split("=")[0]!
