import { noRowSetAside } from "../../../lib/feeds/set-aside"
import { reconciler } from "../../../lib/reconcile"
import { sql } from "../db"

/** Checks programs against their changes, that each workspace has an owner, and its feeds. */
export const reconcile = reconciler(sql, [
  noRowSetAside("identity"),
  {
    invariant: "Each program is as its last change left it",
    table: "programs",
    violations: sql => sql`
      select
        format('Program %s', programs.id),
        format('is in version %s and differs from its change %s.', programs.version,
          coalesce(change.version::text, 'none'))
      from programs
      left join lateral (
        select version, settings
        from program_changes
        where program_id = programs.id
          and state = 'applied'
        order by version desc
        limit 1
      ) as change on true
      where programs.version > 0
        and (
          programs.version is distinct from (
            select max(version)
            from program_changes
            where program_id = programs.id
              and state <> 'open'
          )
          or (
            name, slug, website_url, status, currency, attribution_model,
            cookie_window_days::text, lead_auth, share_sale_amount
          ) is distinct from (
            settings ->> 'name', settings ->> 'slug', settings ->> 'website_url',
            settings ->> 'status', settings ->> 'currency', settings ->> 'attribution_model',
            settings ->> 'cookie_window_days', settings ->> 'lead_auth',
            coalesce((settings ->> 'share_sale_amount')::boolean, share_sale_amount)
          )
        )
    `,
  },
  {
    invariant: "Each program has reserved its slug",
    table: "programs",
    violations: sql => sql`
      select
        format('Program %s', programs.id),
        format('has the slug "%s", which is reserved for %s.', programs.slug,
          coalesce('program ' || reserved.program_id, 'none'))
      from programs
      left join program_slugs as reserved on reserved.slug = programs.slug
      where programs.slug is not null
        and reserved.program_id is distinct from programs.id
    `,
  },
  {
    invariant: "Each workspace has an active owner",
    table: "workspaces",
    violations: sql => sql`
      select format('Workspace %s', id), 'has no active owner.'
      from workspaces
      where not exists (
        select
        from memberships
        where workspace_id = workspaces.id
          and role = 'owner'
          and status = 'active'
      )
    `,
  },
  {
    invariant: "Each entry of the audit log is in the workspace of its program",
    table: "audit_entries",
    violations: sql => sql`
      select
        format('Entry %s of the audit log', entry.id),
        format('is in workspace %s, but program %s is in %s.', entry.workspace_id, program_id,
          coalesce(programs.workspace_id::text, 'none'))
      from audit_entries as entry
      left join programs on programs.id = program_id
      where program_id is not null
        and entry.workspace_id is distinct from programs.workspace_id
    `,
  },
])
