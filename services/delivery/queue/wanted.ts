import { sql } from "../db"

/** Whether the endpoint of a delivery still wants it. For statements that join the two. */
export const isWanted = sql`
  (
    endpoint.status = 'enabled'
    and (delivery.type = 'endpoint.test' or endpoint.events && array['*', delivery.type])
    and (
      delivery.program_id is null
      or endpoint.program_ids is null
      or delivery.program_id = any (endpoint.program_ids)
    )
  )
`
