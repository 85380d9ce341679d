import type postgres from "postgres"
import type { Send } from "../client"
import { differences, learned, learnedText, text, time } from "../match"
import type { Notice, Program } from "../state"
import {
  commissionView,
  customerView,
  groupView,
  linkView,
  partnerView,
  programView,
  saleView,
} from "../views"
import { managed, readAs, readPages } from "./pages"

const SAMPLE = 15
const HINT_TRIES_MAX = 20
const HINT_PAUSE_MS = 250

/** Compares everything that the Management API lists of a program. */
export async function compareLists(program: Program, send: Send): Promise<string[]> {
  const { owner, groups, links, partners, commissions } = program
  const list = (path: string) => readPages(send, owner.session, managed(program, path))
  const partner = program.random.pick(partners)
  const newestFirst = commissions.toReversed()
  const pending = newestFirst.filter(({ status }) => status === "pending")
  const theirs = newestFirst.filter(commission => commission.partner === partner)
  const shown = await readAs(send, owner.session, managed(program, ""))
  return [
    ...differences({ data: programView(program) }, shown, "program"),
    ...differences(groups.map(groupView), await list("/groups"), "groups"),
    ...differences(
      links.map(link => ({ ...linkView(link), partner_name: link.partner.name })),
      await list("/referral-links"),
      "links",
    ),
    ...differences(
      partners.map(one => partnerView(one, program)),
      await list("/partners"),
      "partners",
    ),
    ...differences(newestFirst.map(commissionView), await list("/commissions"), "commissions"),
    ...differences(
      pending.map(commissionView),
      await list("/commissions?status=pending"),
      "pending commissions",
    ),
    ...differences(
      theirs.map(commissionView),
      await list(`/commissions?partner_id=${partner.id}`),
      `commissions of partner ${partner.id}`,
    ),
  ]
}

/** Compares some sales and customers, one by one. */
export async function compareSamples(program: Program, send: Send): Promise<string[]> {
  const { random, owner, sales, customers } = program
  const read = (path: string) => readAs(send, owner.session, managed(program, path))
  const found: string[] = []
  const keyed = customers.filter(({ key }) => key)
  for (let i = 0; i < Math.min(SAMPLE, sales.length); i++) {
    const sale = random.pick(sales)
    const data = saleView(sale, program)
    found.push(
      ...differences({ data }, await read(`/sales/${sale.id}`), `sale ${sale.transaction_id}`),
    )
  }
  for (let i = 0; i < Math.min(SAMPLE, keyed.length); i++) {
    const customer = random.pick(keyed)
    const data = customerView(customer, program)
    const shown = await read(`/customers/${encodeURIComponent(customer.key!)}`)
    found.push(...differences({ data }, shown, `customer ${customer.key}`))
  }
  return found
}

/** Compares the notices of the advertiser and of the partners who have an account. */
export async function compareNotices(program: Program, send: Send): Promise<string[]> {
  const view = (notice: Notice, transaction_id: string | null) => ({
    id: learned(notice, "id"),
    kind: notice.kind,
    program_id: program.id,
    commission_id: notice.commission.id,
    sale_id: learned(notice.commission.sale, "id"),
    transaction_id,
    message: text(`${transaction_id ?? notice.commission.sale.id} was `, ...notice.mentions),
    read_at: null,
    created_at: time(notice.at),
  })
  const forAdvertiser = (notice: Notice) => view(notice, notice.commission.sale.transaction_id)
  const forPartner = (notice: Notice) => view(notice, null) // it names the sale by its id
  const compare = async (views: ReturnType<typeof view>[], token: string, path: string) =>
    differences(views.toReversed(), await readPages(send, token, path), path)
  const found = await compare(
    program.notices.map(forAdvertiser),
    program.owner.session,
    "/api/advertiser/notifications",
  )
  for (const { account, notices } of program.partners) {
    if (!account) continue
    found.push(
      ...(await compare(notices.map(forPartner), account.session, "/api/partner/notifications")),
    )
  }
  return found
}

/** Compares the test events that the integration status counts. */
export async function compareStatus(program: Program, send: Send): Promise<string[]> {
  const { tests, owner, clicks, leads, sales, partners, customers } = program
  const statistic = (events: Program["tests"]["click"]) => ({
    testEventCount: events.length,
    hasTestEvents: events.length > 0,
    latestTestEvent: events.length
      ? {
          id: events.at(-1)!.id,
          timestamp: time(events.at(-1)!.at),
          createdAt: time(events.at(-1)!.at),
        }
      : null,
  })
  const currencies = new Set(sales.map(({ currency }) => currency))
  const others = [...currencies].filter(currency => currency !== program.currency).sort()
  const lacksKeys = leads.length > 0 && sales.length === 0 && !customers.some(({ key }) => key)
  const step = (events: unknown[]) => (events.length > 0 ? "complete" : "pending")
  const data = {
    programId: program.id,
    stepStatuses: { pageview: step(clicks), referrals: step(leads), payments: step(sales) },
    statistics: {
      pageview: statistic(tests.click),
      referrals: statistic(tests.lead),
      payments: statistic(tests.sale),
    },
    hasPartners: partners.length > 0,
    hints: [
      ...(lacksKeys ? [{ code: "leads_without_key", message: text("customer_key") }] : []),
      ...(others.length
        ? [{ code: "other_currency", message: text(others.join(", "), program.currency) }]
        : []),
    ],
  }
  for (let tries = 1; ; tries++) {
    const shown = await readAs(send, owner.session, `/api/tracking/status/${program.id}`)
    const lastUpdated = learnedText({ at: "" }, "at") // of this try
    const found = differences({ data: { ...data, lastUpdated } }, shown, "status")
    if (found.length === 0 || tries === HINT_TRIES_MAX) return found
    await Bun.sleep(HINT_PAUSE_MS) // no hint is given while reporting is down
  }
}

/** Compares every line of the ledger with the owner's table. */
export async function compareLedger(program: Program, sql: postgres.Sql): Promise<string[]> {
  const rows = await sql`
    select partner_id, kind, currency, amount_cents, commission_id
    from commissions.ledger
    where program_id = ${program.id}
    order by id
  `
  return program.partners.flatMap(({ id, entries }) =>
    differences(
      entries.map(({ commission, ...entry }) => ({ ...entry, commission_id: commission.id })),
      rows
        .filter(row => Number(row.partner_id) === id)
        .map(({ kind, currency, amount_cents, commission_id }) => ({
          kind,
          currency,
          amount_cents: Number(amount_cents),
          commission_id: Number(commission_id),
        })),
      `ledger of partner ${id}`,
    ),
  )
}
