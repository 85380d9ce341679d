import { Elysia } from "elysia"
import { aggregates } from "../reports/dashboard"
import { events } from "../reports/events"
import { commissions } from "./commissions"
import { customers } from "./customers"
import { groups } from "./groups"
import { links } from "./links"
import { partnerInvitations } from "./partner-invitations"
import { partners } from "./partners"
import { programs } from "./programs"

/** The Management API: programs and what belongs to one (specification 4.8, contract 3). */
export const management = new Elysia({ prefix: "/api/advertiser/affiliate-programs" })
  .use(programs)
  .use(groups)
  .use(partners)
  .use(partnerInvitations)
  .use(links)
  .use(events)
  .use(customers)
  .use(commissions)
  .use(aggregates)
