import { truncate } from "../../../lib/truncate"

const LABEL_MAX_CHARACTERS = 255

/** The names of a label in the query of an affiliate_url. The first with a value counts. */
const PARAMETERS = {
  partner_click_id: ["pcid", "aff_click_id", "clickid", "cid", "external_id"],
  sub1: ["sub1", "sub", "subid", "sub_id", "subid1", "s1", "aff_sub", "aff_sub1"],
  sub2: ["sub2", "subid2", "s2", "aff_sub2"],
  sub3: ["sub3", "subid3", "s3", "aff_sub3"],
  sub4: ["sub4", "subid4", "s4", "aff_sub4"],
  sub5: ["sub5", "subid5", "s5", "aff_sub5"],
}

export type LabelName = keyof typeof PARAMETERS
export type Labels = Record<LabelName, string | null>

/** The partner's own labels of a click, from its affiliate_url (behaviour 13.1.3). */
export function labelsOf(affiliate_url: string | null): Labels {
  const query = URL.parse(affiliate_url ?? "")?.searchParams ?? new URLSearchParams()
  const labels = Object.entries(PARAMETERS).map(([name, parameters]) => {
    return [name, labelIn(query, parameters)]
  })
  return Object.fromEntries(labels) as Labels
}

/** The partner's own label for a placement or campaign, by which reports break down. */
export function sub1Of(affiliate_url: string): string | null {
  const url = URL.parse(affiliate_url)
  if (!url || !/sub|s1|%/.test(url.search)) return null // cheaper than parsing the query
  return labelIn(url.searchParams, PARAMETERS.sub1)
}

function labelIn(query: URLSearchParams, parameters: string[]): string | null {
  const label = parameters.map(name => query.get(name)).find(Boolean)
  return label && !label.includes("\0") ? truncate(label, LABEL_MAX_CHARACTERS) : null
}
