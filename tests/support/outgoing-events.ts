import { sql } from "./world"

type Owner = "identity" | "commissions" | "tracking"

/** The outgoing events that a service has recorded of a program, oldest first. */
export async function outgoingEvents(owner: Owner, program_id: number) {
  const events = await sql`
    select type, partner_id, data, previous
    from ${sql(`${owner}.outgoing_events`)}
    where program_id = ${program_id}
    order by id
  `
  return [...events] as unknown as OutgoingEvent[]
}

type OutgoingEvent = {
  type: string
  partner_id: number | null
  data: any // any: of any kind
  previous: any
}

/** The events that `change` added. */
export async function eventsWrittenBy(
  owner: Owner,
  program_id: number,
  change: () => Promise<unknown>,
) {
  const before = await outgoingEvents(owner, program_id)
  await change()
  return (await outgoingEvents(owner, program_id)).slice(before.length)
}
