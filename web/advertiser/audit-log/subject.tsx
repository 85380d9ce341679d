import type { ComponentType } from "preact"
import { useSession } from "../../session"
import { words } from "../../words/en/audit-details"
import type { Entry } from "../audit-log"
import { useGroupNames } from "../partners/group-names"
import * as names from "./names"

type Of = { of: Entry; workspace_id: number }

/** What was changed: its name, which leads to its page. */
export function Subject({ of, workspace_id }: Of) {
  const Named = SUBJECTS[of.subject.type]
  return Named ? <Named of={of} workspace_id={workspace_id} /> : <Numbered of={of} />
}

const SUBJECTS: Record<string, ComponentType<Of>> = {
  program: Program,
  workspace: Workspace,
  partner: Partner,
  group: Group,
  link: Link,
  commission: Commission,
  api_key: ApiKey,
  webhook_endpoint: Webhook,
  invitation: Invitation,
  member: Member,
  user: Member,
}

/** Without a page and a name, such as an erased customer. */
function Numbered({ of: { subject } }: { of: Entry }) {
  return <>{words.numbered(words.subjects[subject.type] ?? subject.type, subject.id)}</>
}

/** The noun and the name, as a link to its page. A name that is not known is its number. */
function Named({ of, name, href }: { of: Entry; name: string | undefined; href: string }) {
  const noun = words.subjects[of.subject.type]
  return (
    <>
      {noun}{" "}
      <a href={href}>
        <bdi>{name ?? of.subject.id}</bdi>
      </a>
    </>
  )
}

function Program({ of, workspace_id }: Of) {
  const { id } = of.subject
  const name = names.usePrograms(workspace_id).find(program => program.id === id)?.name
  return <Named of={of} name={name} href={`/programs/${id}`} />
}

function Workspace({ of }: Of) {
  const { id } = of.subject
  const memberships = useSession()?.memberships
  const name = memberships?.find(({ workspace }) => workspace.id === id)?.workspace.name
  return <Named of={of} name={name} href="/workspaces" />
}

function Partner({ of }: Of) {
  const { subject, program_id } = of
  const name = names.usePartnerName(program_id, subject.id)
  return <Named of={of} name={name} href={`/programs/${program_id}/partners/${subject.id}`} />
}

function Group({ of }: Of) {
  const { subject, program_id } = of
  const name = useGroupNames(program_id ?? 0).find(([id]) => id === `${subject.id}`)?.[1]
  return <Named of={of} name={name} href={`/programs/${program_id}/groups/${subject.id}`} />
}

function Link({ of }: Of) {
  const code = names.useLinkCode(of)
  const search = code ? `?search=${encodeURIComponent(code)}` : ""
  return <Named of={of} name={code} href={`/programs/${of.program_id}/links${search}`} />
}

function Commission({ of }: Of) {
  const sale = names.useSaleOf(of)
  if (!sale) return <Numbered of={of} />
  const name = words.sale(sale.transaction_id)
  return <Named of={of} name={name} href={`/programs/${of.program_id}/sales/${sale.sale_id}`} />
}

function ApiKey({ of, workspace_id }: Of) {
  const name = names.useKeyName(workspace_id, of.subject.id)
  return <Named of={of} name={name} href={`/workspaces/${workspace_id}/api-keys`} />
}

function Webhook({ of, workspace_id }: Of) {
  const host = names.useWebhookHost(workspace_id, of)
  return (
    <Named of={of} name={host} href={`/workspaces/${workspace_id}/webhooks/${of.subject.id}`} />
  )
}

function Invitation({ of, workspace_id }: Of) {
  return <Named of={of} name={undefined} href={`/workspaces/${workspace_id}/members`} />
}

function Member({ of, workspace_id }: Of) {
  const name = names.useMemberName(workspace_id, of.subject.id)
  return <Named of={of} name={name} href={`/workspaces/${workspace_id}/members`} />
}
