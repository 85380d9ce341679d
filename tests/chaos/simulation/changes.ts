import type postgres from "postgres"
import type { Random } from "../../../lib/random"
import type { Partner } from "../../../services/commissions/contract"
import { updateGroup } from "../../../services/commissions/groups/update-group"
import { updatePartner } from "../../../services/commissions/partners/update-partner"
import { type Clocked, STEPS_SECONDS, stepClock } from "./clocks"
import { interruptFor } from "./outage"
import type { Scene } from "./scene"
import { schedule } from "./schedule"
import { type PartnerTerms, policyText, terms } from "./terms"

const CHANGES = 3 // by each actor
const TRIES_MAX = 5 // of a change
const PAUSES_MS = [0, 0, 500, 2_000]
const OUTAGES_MS = [1_000, 5_000, 10_000]

/** Moves and suspends partners, one change after the other, each until it is confirmed. */
export async function managePartners(random: Random, { program_id, partner_ids, groups }: Scene) {
  for (let times = 0; times < CHANGES; times++) {
    await Bun.sleep(random.pick(PAUSES_MS))
    const partner_id = random.pick(partner_ids)
    const put = (change: Partial<Pick<Partner, "group_id" | "status">>) => {
      const subject = `partner ${partner_id}` as const
      const value = { ...terms.current<PartnerTerms>(subject), ...change }
      return terms.change(subject, value, () =>
        untilConfirmed(random, () => updatePartner({ program_id, partner_id, change })),
      )
    }
    const { group_id, status } = terms.current<PartnerTerms>(`partner ${partner_id}`)
    const otherStatus = status === "approved" ? "suspended" : "approved"
    const other = groups.find(id => id !== group_id)!
    if (random.happens(0.5)) await put({ group_id: other })
    else if (random.happens(0.8)) await put({ status: otherStatus })
    else await put({ status: "removed" }).then(() => put({ status })) // sales are refused meanwhile
  }
}

/** Adds policies to groups, one after the other, each until it is confirmed. */
export async function managePolicies(random: Random, { program_id, groups }: Scene) {
  for (let times = 0; times < CHANGES; times++) {
    await Bun.sleep(random.pick(PAUSES_MS))
    const group_id = random.pick(groups)
    const policy = { rate_bps: random.below(10_000), auto_approve: random.happens(0.5) }
    const change = { policy: { kind: "percent" as const, ...policy } }
    await terms.change(`group ${group_id}`, policyText(policy), () =>
      untilConfirmed(random, () => updateGroup({ program_id, group_id, change })),
    )
  }
}

/** Throws if no try is confirmed. The change may then take effect at any time, or never. */
async function untilConfirmed(random: Random, work: () => Promise<unknown>) {
  for (let tries = 1; ; tries++) {
    try {
      return await schedule.begin("manager", work, false)
    } catch (error) {
      if (tries === TRIES_MAX) throw error
      await Bun.sleep(random.pick(PAUSES_MS))
    }
  }
}

/** Approves all partners, so that their sales can be sent again once the faults have stopped. */
export async function approvePartners({ program_id, partner_ids }: Scene) {
  for (const partner_id of partner_ids) {
    const subject = `partner ${partner_id}` as const
    const change = { ...terms.current<PartnerTerms>(subject), status: "approved" as const }
    await terms.change(subject, change, () => updatePartner({ program_id, partner_id, change }))
  }
}

/** Moves customers to other partners, as a click would until the first attributed sale. */
export async function moveCustomers(random: Random, scene: Scene, superuser: postgres.Sql) {
  for (let times = 0; times < CHANGES; times++) {
    await Bun.sleep(random.pick(PAUSES_MS))
    const customer_key = random.pick(scene.customers)
    const partner_id = random.pick(scene.partner_ids)
    await schedule.once("a click", async () => {
      const moved = await superuser`
        with customer as materialized (
          select id, program_id, click_id, window_days
          from tracking.customers
          where customer_key = ${customer_key}
            and not is_settled
          for update skip locked
        ),
        click as (
          insert into tracking.affiliate_click_events (
            program_id, click_id, customer_id, partner_id, link_id, window_days, final_xact
          )
          select
            customer.program_id, customer.click_id, customer.id, link.partner_id, link.id,
            customer.window_days, pg_current_xact_id()
          from customer
          join tracking.referral_links as link on link.partner_id = ${partner_id}
          returning *
        ),
        counted as (
          insert into tracking.uncounted_clicks (link_ids, clicked_at)
          select array[link_id], click_timestamp
          from click
        )
        update tracking.customers as customer
        set
          partner_id = click.partner_id,
          link_id = click.link_id,
          click_event_id = click.id,
          attributed_at = click.click_timestamp
        from click
        where customer.id = click.customer_id
      `
      if (moved.count === 1)
        await terms.change(`customer ${customer_key}`, partner_id, async () => {})
    })
  }
}

/** Makes commissions unavailable for a while, in which stored sales wait for their commissions. */
export async function interruptCommissions(random: Random) {
  await Bun.sleep(random.pick(PAUSES_MS))
  interruptFor(random.pick(OUTAGES_MS))
}

/** Sets the clocks of the databases forwards and back. */
export async function stepClocks(random: Random, superuser: postgres.Sql) {
  for (let times = 0; times < CHANGES; times++) {
    await Bun.sleep(random.pick(PAUSES_MS))
    const service = random.pick<Clocked>(["tracking", "commissions"])
    const seconds = random.pick(STEPS_SECONDS)
    await schedule.once("a clock steps", () => stepClock(superuser, service, seconds))
  }
}
