/** Removes one safeguard of the money path. Some seed must then violate an invariant. */
type Mutation = {
  damage?: string // SQL that is run on the database
  rewrite?: { of: RegExp; from: string; to: string }[] // `of` matches the statement
}

export const MUTATIONS: Record<string, Mutation> = {
  "two sales may share a transaction_id": {
    damage: "drop index tracking.affiliate_sale_events_transaction_id_idx",
    rewrite: [
      {
        of: /insert into affiliate_sale_events/,
        from: "on conflict do nothing",
        to: "",
      },
    ],
  },
  "two commissions may share a sale": {
    damage: "alter table commissions.commissions drop constraint commissions_sale_id_key",
    rewrite: [{ of: /insert into commissions/, from: "on conflict (sale_id) do nothing", to: "" }],
  },
  "creating a commission is not safe to repeat": {
    rewrite: [{ of: /insert into commissions/, from: "on conflict (sale_id) do nothing", to: "" }],
  },
  "a commission takes the group that its partner has now": {
    rewrite: [
      {
        of: /insert into commissions/,
        from: "coalesce(stored.group_id, partner.group_id)",
        to: "partner.group_id",
      },
    ],
  },
  "a commission takes the status that its partner has now": {
    rewrite: [
      {
        of: /insert into commissions/,
        from: "coalesce(stored.status, partner.status)",
        to: "partner.status",
      },
    ],
  },
  "a commission takes the newest policy": {
    rewrite: [{ of: /insert into commissions/, from: "after_sale_id < input.sale_id", to: "true" }],
  },
  "clocks decide when a policy takes effect": {
    rewrite: [
      { of: /insert into commissions/, from: "after_sale_id < input.sale_id", to: "false" },
      { of: /insert into commissions/, from: "after_sale_id is null and ", to: "" },
    ],
  },
  "refunds of one sale are not serialized": {
    rewrite: [
      { of: /from commissions\s+where sale_id = \?\s+for update/, from: "for update", to: "" },
    ],
  },
  "a sale is acknowledged to the latest request": {
    rewrite: [
      { of: /update affiliate_sale_events/, from: "coalesce(acknowledged_by, ", to: "coalesce(" },
    ],
  },
  "a repeated refund request is not recognized": {
    rewrite: [{ of: /from refunds/, from: "where request_id = ", to: "where 'none' = " }],
  },
  "a clamp is not entered in the ledger": {
    damage: `
      create function commissions.leave_out() returns trigger
      language plpgsql as 'begin return null; end';
      create trigger leave_out before insert on commissions.ledger
        for each row when (new.kind = 'clamp') execute function commissions.leave_out();
    `,
  },
  "a partner is not notified of a rejection": {
    damage: `
      create function commissions.leave_out() returns trigger
      language plpgsql as 'begin return null; end';
      create trigger leave_out before insert on commissions.notifications
        for each row when (new.kind = 'commission_rejected')
        execute function commissions.leave_out();
    `,
  },
}

let rewrites: Mutation["rewrite"] = []

/** Makes later statements run as the mutation rewrites them. Returns its SQL for the database. */
export function applyMutation(name: string): string {
  const mutation = MUTATIONS[name]
  if (!mutation) throw new Error(`There is no mutation "${name}".`)
  rewrites = mutation.rewrite ?? []
  return mutation.damage ?? ""
}

/** Returns the text of a statement as the current mutation rewrites it. */
export function rewrite(text: TemplateStringsArray): TemplateStringsArray {
  const whole = text.join("?")
  const applying = rewrites!.filter(({ of, from }) => of.test(whole) && whole.includes(from))
  if (applying.length === 0) return text

  const changed = text.map(part => applying.reduce((p, { from, to }) => p.replace(from, to), part))
  return Object.assign(changed, { raw: changed })
}
