import { call } from "../../../lib/bus/bus"
import { asFault } from "../../../lib/fault"
import { namePartners } from "../../commissions/contract"
import { nameLinks } from "../../tracking/contract"
import type { BreakdownRow, By } from "../contract"

const IDS_PER_MESSAGE = 500 // a name may have 255 characters, and a message holds 1 MiB

/**
 * Adds labels to rows: the name of each partner, the code of each link. Other rows keep a null
 * label, and so do all rows while the service that owns the names is unavailable.
 */
export async function withLabels(
  program_id: number,
  by: By,
  rows: BreakdownRow[],
): Promise<BreakdownRow[]> {
  const ids = rows.map(row => row.value).filter(value => typeof value === "number")
  if (ids.length === 0) return rows

  const names = new Map(await fetchNames(program_id, by, ids).catch(noneIfUnavailable))
  return rows.map(row => ({ ...row, label: names.get(row.value as number) ?? null }))
}

type Name = [id: number, name: string]

async function fetchNames(program_id: number, by: By, ids: number[]): Promise<Name[]> {
  const names: Name[] = []
  for (let i = 0; i < ids.length; i += IDS_PER_MESSAGE) {
    names.push(...(await fetchBatch(program_id, by, ids.slice(i, i + IDS_PER_MESSAGE))))
  }
  return names
}

async function fetchBatch(program_id: number, by: By, ids: number[]): Promise<Name[]> {
  if (by === "partner") {
    const { partners } = await call(namePartners, { program_id, partner_ids: ids })
    return partners.map(({ partner_id, name }) => [partner_id, name])
  }
  const { links } = await call(nameLinks, { program_id, link_ids: ids })
  return links.map(({ link_id, code }) => [link_id, code])
}

function noneIfUnavailable(error: unknown): Name[] {
  if (asFault(error).kind === "unavailable") return []
  throw error
}
