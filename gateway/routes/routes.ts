import type { AnswerOf, Input, Route } from "../http/route"
import { serviceTracker } from "../service-tracker/route"
import { auditLog } from "./account/audit-log"
import { auth } from "./account/auth"
import { invitations } from "./account/invitations"
import { notificationSettings } from "./account/notification-settings"
import { workspaces } from "./account/workspaces"
import { currencies } from "./currencies"
import { outbox } from "./dev/outbox"
import { docs } from "./docs"
import { health } from "./health"
import { apiKeys } from "./management/api-keys"
import { attention } from "./management/attention"
import { branding } from "./management/branding"
import { commissions } from "./management/commissions"
import { customers } from "./management/customers"
import { decisions } from "./management/decisions"
import { eventLog } from "./management/event-log"
import { groups } from "./management/groups"
import { links } from "./management/links"
import { advertiserNotifications } from "./management/notifications"
import { partnerPostbackDeliveries } from "./management/partner-postback-deliveries"
import { partnerPostbacks } from "./management/partner-postbacks"
import { partners } from "./management/partners"
import { programPostbackDeliveries } from "./management/postback-deliveries"
import { programPostbacks } from "./management/postbacks"
import { programs } from "./management/programs"
import { webhookDeliveries } from "./management/webhook-deliveries"
import { webhookEndpoints } from "./management/webhook-endpoints"
import { pages } from "./pages/pages"
import { partnerConversions } from "./partner/conversions"
import { partnerDecisions } from "./partner/decisions"
import { partnerLedger } from "./partner/ledger"
import { partnerLinks } from "./partner/links"
import { partnerNotifications } from "./partner/notifications"
import { ownPostbackDeliveries } from "./partner/postback-deliveries"
import { ownPostbackRoutes } from "./partner/postbacks"
import { partnerPrograms } from "./partner/programs"
import { partnerReports } from "./partner/reports"
import { postbackMacros } from "./public/postback-macros"
import { publicPrograms } from "./public/programs"
import { dashboard } from "./reports/dashboard"
import { events } from "./reports/events"
import { reporting } from "./reports/reporting"
import { status } from "./reports/status"
import { trackingCalls } from "./reports/tracking-calls"
import { click } from "./tracking/click"
import { lead } from "./tracking/lead"
import { refund } from "./tracking/refund"
import { sale } from "./tracking/sale"
import { stripeWebhook } from "./tracking/stripe-webhook"

const described = [
  ...health,
  ...serviceTracker,
  ...currencies,
  ...postbackMacros,
  click,
  lead,
  sale,
  refund,
  stripeWebhook,
  ...reporting,
  ...status,
  ...trackingCalls,
  ...dashboard,
  ...programs,
  ...branding,
  ...groups,
  ...partners,
  ...partnerPostbacks,
  ...partnerPostbackDeliveries,
  ...links,
  ...events,
  ...customers,
  ...commissions,
  attention,
  ...decisions,
  ...advertiserNotifications,
  ...partnerPrograms,
  ...partnerReports,
  ...partnerConversions,
  ...partnerLinks,
  ...partnerLedger,
  ...partnerDecisions,
  ...partnerNotifications,
  ...ownPostbackRoutes,
  ...ownPostbackDeliveries,
  ...publicPrograms,
  ...apiKeys,
  ...webhookEndpoints,
  ...webhookDeliveries,
  ...programPostbacks,
  ...eventLog,
  ...programPostbackDeliveries,
  ...workspaces,
  ...auditLog,
  ...auth,
  ...invitations,
  ...notificationSettings,
  outbox,
]

/** Every route of the gateway, in the order in which /openapi.json lists them. */
export const ROUTES: readonly Route[] = [
  ...described,
  ...docs(() => ROUTES),
  ...pages(() => ROUTES),
] as unknown as Route[]

type Described = (typeof described)[number]

/** The types of each operation by its id: its declaration, input and reply. */
export type Api = {
  [Each in Described as Each["declaration"]["id"]]: Each extends Route<infer D>
    ? { declaration: D; input: Pick<Input<D>, "params" | "query" | "body">; answer: AnswerOf<D> }
    : never
}
