import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { DEFAULTS } from "./notification-settings"

const MEMBERS_MAX = 200 // of a workspace: the reply must fit into a message

type Request = RequestOf<typeof contract.findNoticeRecipients>
type Reply = ReplyOf<typeof contract.findNoticeRecipients>

/** A notice for a partner goes to the person whose account is bound to it, if there is one. */
export async function findNoticeRecipients({ notices }: Request) {
  const recipients = await sql<Reply["recipients"]>`
    with notice as (
      select *
      from jsonb_to_recordset(${sql.json(notices)}) as notice (
        notice_id bigint, kind text, program_id bigint, partner_id bigint, workspace_id bigint
      )
    ),
    recipient as (
      select notice_id, kind, account.user_id
      from notice
      join partner_bindings as binding using (program_id, partner_id)
      join partner_accounts as account on account.id = binding.account_id
      union all
      select notice_id, kind, member.user_id
      from notice
      cross join lateral (
        select user_id
        from memberships
        where memberships.workspace_id = notice.workspace_id
          and status = 'active'
        order by created_at, user_id
        limit ${MEMBERS_MAX}
      ) as member
      where partner_id is null
    ),
    chosen as (
      select
        notice_id, user_id,
        coalesce(settings.frequency, ${sql.json(DEFAULTS)}::jsonb ->> kind) as frequency
      from recipient
      left join notification_settings as settings using (user_id, kind)
    )
    select notice_id, user_id, frequency
    from chosen
    where frequency <> 'off'
    order by notice_id, user_id
  `
  const ids = [...new Set(notices.map(({ program_id }) => program_id))]
  const programs = await sql<Reply["programs"]>`
    select id as program_id, name
    from programs
    where id = any (${ids}::bigint[])
      and name is not null
  `
  return { recipients, programs }
}
