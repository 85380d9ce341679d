import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Screen } from "../parts/screen"
import { Empty, Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { timeText } from "../parts/when"
import { words } from "../words/en/webhooks"
import { CreateWebhook, EditWebhook } from "./webhooks/edit"
import { WebhookSteps } from "./webhooks/steps"

export type Webhook = Answer<"listWebhookEndpoints">["data"][number]

/** Where a workspace receives events. */
export default function Webhooks() {
  const { params, query } = useAddress()
  const workspace = Number(params.id)
  const [isCreating, setCreating] = useState(false)
  const [edited, setEdited] = useState<Webhook | null>(null)
  const webhooks = useAnswer("listWebhookEndpoints", {
    workspace,
    query: { page: query.page, pageSize: 50 },
  })
  const programs = useAnswer("listPrograms", { workspace, query: { pageSize: 100 } })
  const names = new Map((programs.data?.data ?? []).map(({ id, name }) => [id, name]))
  const create = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  return (
    <Screen name="advertiser/webhooks" actions={create}>
      <Loaded from={webhooks}>
        {webhooks.data?.meta.pagination.total === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyText}</p>
          </Empty>
        ) : (
          <>
            <Table
              caption={words.caption}
              isTitled
              columns={columnsOf(workspace, names, setEdited)}
              rows={webhooks.data?.data ?? []}
              isStale={webhooks.isPlaceholderData}
            />
            {webhooks.data && <Pages meta={webhooks.data.meta} />}
          </>
        )}
      </Loaded>
      {isCreating && (
        <CreateWebhook workspace={workspace} names={names} onClose={() => setCreating(false)} />
      )}
      {edited && (
        <EditWebhook
          workspace={workspace}
          names={names}
          webhook={edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Screen>
  )
}

export type Names = ReadonlyMap<number, string>

const columnsOf = (
  workspace: number,
  names: Names,
  onEdit: (webhook: Webhook) => void,
): Column<Webhook>[] => [
  {
    name: "url",
    head: words.url,
    cell: ({ url, description }) => (
      <>
        <bdi>{url}</bdi>
        {description && <span class="hint"> {description}</span>}
      </>
    ),
  },
  { name: "events", head: words.events, cell: ({ events }) => <Events of={events} /> },
  {
    name: "programs",
    head: words.programs,
    cell: ({ program_ids }) =>
      program_ids === null
        ? words.everyProgram
        : program_ids.map(id => names.get(id) ?? `${id}`).join(", "),
  },
  {
    name: "status",
    head: words.status,
    cell: ({ status }) => (
      <Status tone={status === "enabled" ? "good" : "plain"} text={words.statuses[status]} />
    ),
  },
  { name: "secret", head: words.secret, cell: webhook => <Secret of={webhook} /> },
  {
    name: "steps",
    head: words.steps,
    cell: webhook => <WebhookSteps workspace={workspace} webhook={webhook} onEdit={onEdit} />,
  },
]

function Events({ of }: { of: Webhook["events"] }) {
  if (of.includes("*")) return <>{words.everything}</>
  return (
    <ul>
      {of.map(type => (
        <li key={type}>{words.types[type] ?? type}</li>
      ))}
    </ul>
  )
}

function Secret({ of: { secret_masked, previous_secret_valid_until } }: { of: Webhook }) {
  if (secret_masked === null) return <span class="bad-text">{words.noSecret}</span>
  return (
    <>
      <code>{secret_masked}</code>
      {previous_secret_valid_until && (
        <span class="hint"> {words.alsoOld(timeText(previous_secret_valid_until))}</span>
      )}
    </>
  )
}
