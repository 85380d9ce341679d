import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { Name } from "../../../lib/fields"
import { showCommission } from "../../../services/commissions/contract"
import type { DecisionSubject } from "../../../services/tracking/contract"
import { QueryId } from "../../http/query"

/** What a partner may ask about. */
export const PartnerSubject = Type.Object({
  sale_id: Type.Optional(QueryId),
  transaction_id: Type.Optional(Name),
  commission_id: Type.Optional(QueryId),
})

/** What an advertiser may ask about. */
export const Subject = Type.Object({
  ...PartnerSubject.properties,
  click_event_id: Type.Optional(QueryId),
  customer_key: Type.Optional(Name),
})

/** The names of a subject, for sentences. */
export const namesOf = ({ properties }: typeof Subject | typeof PartnerSubject): string =>
  Object.keys(properties)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1")

/** The subject that a query names. Throws "invalid" unless it names exactly one, and "missing". */
export async function subjectOf(
  program_id: number,
  query: Static<typeof Subject>,
  schema: typeof Subject | typeof PartnerSubject = Subject,
): Promise<DecisionSubject> {
  const { sale_id, transaction_id, commission_id, click_event_id, customer_key } = query
  const named = [sale_id, transaction_id, commission_id, click_event_id, customer_key]
  if (named.filter(value => value !== undefined).length !== 1) {
    throw new Fault("invalid", `Send exactly one of ${namesOf(schema)}.`)
  }
  if (sale_id !== undefined) return { sale_id: +sale_id }
  if (transaction_id !== undefined) return { transaction_id }
  if (click_event_id !== undefined) return { click_event_id: +click_event_id }
  if (customer_key !== undefined) return { customer_key }
  const commission = await call(showCommission, { program_id, commission_id: +commission_id! })
  return { sale_id: commission.sale_id }
}
