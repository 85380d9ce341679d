import type { OwnedProgram } from "../../../lib/books"
import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listOwnedPrograms>

/** A refused change uses up a version that no copy ever gets. */
export async function listOwnedPrograms({ after_id, limit }: Request) {
  return sql<OwnedProgram[]>`
    select
      id, workspace_id, status, currency, cookie_window_days, attribution_model, lead_auth,
      coalesce(applied_version, 0) as version, coalesce(is_changing, false) as is_changing
    from programs
    left join lateral (
      select
        max(version) filter (where state = 'applied') as applied_version,
        bool_or(state = 'open') as is_changing
      from program_changes
      where program_id = programs.id
    ) as change on true
    where id > ${after_id}
    order by id
    limit ${limit}
  `
}
