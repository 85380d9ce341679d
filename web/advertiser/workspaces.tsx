import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useStep } from "../answers"
import type { Answer } from "../client"
import { Dialog } from "../parts/dialog"
import { Field } from "../parts/field"
import { Form } from "../parts/form"
import { Screen } from "../parts/screen"
import { Empty } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Table } from "../parts/table"
import { useSession } from "../session"
import { words } from "../words/en/workspaces"

type Membership = Answer<"showSession">["data"]["memberships"][number]
type Row = Membership & { id: number }
type Workspace = Membership["workspace"]

const MANAGERS = ["owner", "admin"]

/** The workspaces of a person: opens, renames and makes them. The address says which one a tab is in. */
export default function Workspaces() {
  const memberships = useSession()?.memberships ?? []
  const [isCreating, setCreating] = useState(false)
  const [renamed, setRenamed] = useState<Workspace | null>(null)
  const columns: Column<Row>[] = [
    {
      name: "name",
      head: words.name,
      cell: ({ workspace: { id, name }, status }) =>
        status === "active" ? <a href={`/programs?workspace=${id}`}>{name}</a> : name,
    },
    { name: "role", head: words.role, cell: ({ role }) => words.roles[role] ?? role },
    {
      name: "status",
      head: words.status,
      cell: ({ status }) =>
        status === "active" ? (
          <Status tone="good" text={words.active} />
        ) : (
          <Status tone="plain" text={words.suspended} />
        ),
    },
    {
      name: "rename",
      head: words.renameHead,
      cell: ({ workspace, role, status }) =>
        MANAGERS.includes(role) &&
        status === "active" && (
          <button
            type="button"
            aria-label={words.renameLabel(workspace.name)}
            onClick={() => setRenamed(workspace)}
          >
            {words.rename}
          </button>
        ),
    },
  ]
  return (
    <Screen
      name="advertiser/workspaces"
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          {words.create}
        </button>
      }
    >
      {memberships.length === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyText}</p>
        </Empty>
      ) : (
        <Table
          caption={words.caption}
          isTitled
          columns={columns}
          rows={memberships.map(membership => ({ ...membership, id: membership.workspace.id }))}
        />
      )}
      {isCreating && <Create onClose={() => setCreating(false)} />}
      {renamed && <Rename workspace={renamed} onClose={() => setRenamed(null)} />}
    </Screen>
  )
}

function Create({ onClose }: { onClose(): void }) {
  const { go } = useAddress()
  const create = useStep("createWorkspace", {
    onDone: ({ data }) => {
      onClose()
      go(`/programs?workspace=${data.id}`)
    },
  })
  return (
    <Dialog title={words.createTitle} onClose={onClose}>
      <Form
        action={words.submit}
        error={create.error}
        isBusy={create.isBusy}
        onSubmit={({ name = "" }) => create.take({ body: { name } })}
      >
        <Field name="name" label={words.name} hint={words.createHint} autoComplete="off" />
      </Form>
    </Dialog>
  )
}

function Rename({ workspace: { id, name }, onClose }: { workspace: Workspace; onClose(): void }) {
  const update = useStep("updateWorkspace", { onDone: onClose })
  return (
    <Dialog title={words.renameTitle(name)} onClose={onClose}>
      <Form
        action={words.save}
        error={update.error}
        isBusy={update.isBusy}
        onSubmit={fields => update.take({ params: { id }, body: { name: fields.name ?? "" } })}
      >
        <Field
          name="name"
          label={words.name}
          value={name}
          hint={words.renameHint}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}
