import { KindGuard, type TSchema } from "@sinclair/typebox"
import * as commissions from "../../services/commissions/contract"
import * as identity from "../../services/identity/contract"
import * as reporting from "../../services/reporting/contract"
import * as tracking from "../../services/tracking/contract"
import { LinkView } from "../views/link-view"
import { PartnerView } from "../views/partner-view"

const EXPORTED = [commissions, identity, reporting, tracking, { LinkView, PartnerView }]

/**
 * The named schemas of /openapi.json: those of the contracts, and views that several routes of the
 * gateway return.
 */
export const SCHEMAS: Record<string, TSchema> = {}
for (const [name, schema] of EXPORTED.flatMap(module => Object.entries<unknown>(module))) {
  if (!KindGuard.IsSchema(schema)) continue
  if ((SCHEMAS[name] ?? schema) !== schema) throw new Error(`Two schemas are called ${name}.`)
  SCHEMAS[name] = schema
}
