import { KindGuard, type TSchema } from "@sinclair/typebox"
import * as commissions from "../services/commissions/contract"
import * as identity from "../services/identity/contract"
import * as reporting from "../services/reporting/contract"
import * as tracking from "../services/tracking/contract"
import { LinkView } from "./links"
import { PartnerView } from "./partners"

const exported = { ...commissions, ...identity, ...reporting, ...tracking, LinkView, PartnerView }

/** The schemas that have a name in the code: they have the same in the document. */
export const SCHEMAS = Object.fromEntries(
  Object.entries<unknown>(exported).filter((entry): entry is [string, TSchema] =>
    KindGuard.IsSchema(entry[1]),
  ),
)
