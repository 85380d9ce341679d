import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Screen } from "../parts/screen"
import { Empty, Loaded } from "../parts/states"
import { type Column, Pages, Table } from "../parts/table"
import { words } from "../words/en/webhooks"
import { Events, type Names, ProgramsOf, Secret, State, type Webhook } from "./webhooks/cells"
import { CreateWebhook, EditWebhook } from "./webhooks/edit"
import { useProgramNames } from "./webhooks/program-names"
import { WebhookSteps } from "./webhooks/steps"

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
  const names = useProgramNames(workspace)
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

const columnsOf = (
  workspace: number,
  names: Names,
  onEdit: (webhook: Webhook) => void,
): Column<Webhook>[] => [
  {
    name: "url",
    head: words.url,
    cell: ({ id, url, description }) => (
      <>
        <a href={`/workspaces/${workspace}/webhooks/${id}`}>
          <bdi>{url}</bdi>
        </a>
        {description && <span class="hint"> {description}</span>}
      </>
    ),
  },
  { name: "events", head: words.events, cell: ({ events }) => <Events of={events} /> },
  {
    name: "programs",
    head: words.programs,
    cell: webhook => <ProgramsOf of={webhook} names={names} />,
  },
  {
    name: "status",
    head: words.status,
    cell: webhook => <State of={webhook} />,
  },
  { name: "secret", head: words.secret, cell: webhook => <Secret of={webhook} /> },
  {
    name: "steps",
    head: words.steps,
    cell: webhook => <WebhookSteps workspace={workspace} webhook={webhook} onEdit={onEdit} />,
  },
]
