import { call } from "../../../lib/bus/bus"
import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { retryOnSilence } from "../../../lib/retry"
import { listPartnersByClicks, listPartnersByCode } from "../../tracking/contract"

/** The partners that have a link whose code contains the text, in any case. */
export async function findPartnersByCode(program_id: number, search: string): Promise<number[]> {
  const found: number[] = []
  let after: number | null = 0
  while (after !== null) {
    const request = { program_id, search, after_partner_id: after }
    const part: ReplyOf<typeof listPartnersByCode> = await retryOnSilence(() =>
      call(listPartnersByCode, request),
    )
    found.push(...part.partner_ids)
    after = part.more_after
  }
  return found
}

type ByClicks = RequestOf<typeof listPartnersByClicks>

/** The partners of a program in the order of their clicks, then of their ids, part after part. */
export async function* partnersByClicks(program_id: number, direction: ByClicks["direction"]) {
  let after: ByClicks["after"] = null
  do {
    const request: ByClicks = { program_id, direction, after }
    const part: ReplyOf<typeof listPartnersByClicks> = await retryOnSilence(() =>
      call(listPartnersByClicks, request),
    )
    yield part.partner_ids
    after = part.more_after
  } while (after !== null)
}
