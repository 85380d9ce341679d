import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Screen } from "../parts/screen"
import { Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { useMay, useSession } from "../session"
import { words } from "../words/en/members"
import { ChangeMember } from "./members/change-member"
import { Invitations } from "./members/invitations"
import { InviteMember } from "./members/invite-member"
import { RoleMatrix } from "./members/role-matrix"

export type Member = Answer<"listMembers">["data"][number]
type Row = Member & { id: number }

/** Who may do what in a workspace, and who is invited. */
export default function Members() {
  const { params, query } = useAddress()
  const workspace_id = Number(params.id)
  const may = useMay()
  const self = useSession()?.user.id
  const [changed, setChanged] = useState<Member | null>(null)
  const [isInviting, setInviting] = useState(false)
  const members = useAnswer("listMembers", {
    params: { id: workspace_id },
    query: { page: query.page, pageSize: 50 },
  })

  const columns: Column<Row>[] = [
    {
      name: "name",
      head: words.name,
      cell: ({ user_id, name }) => (user_id === self ? `${name} (${words.you})` : name),
    },
    { name: "email", head: words.email, cell: ({ email }) => email },
    { name: "role", head: words.role, cell: ({ role }) => words.roles[role] },
    {
      name: "status",
      head: words.status,
      cell: ({ status }) => (
        <Status tone={status === "active" ? "good" : "plain"} text={words.statuses[status]} />
      ),
    },
  ]
  if (may("member:manage")) {
    columns.push({
      name: "change",
      head: words.changeHead,
      cell: member => (
        <button
          type="button"
          aria-label={words.changeTitle(member.name)}
          onClick={() => setChanged(member)}
        >
          {words.change}
        </button>
      ),
    })
  }
  const invite = may("member:manage") && (
    <button type="button" class="primary" onClick={() => setInviting(true)}>
      {words.invite}
    </button>
  )

  return (
    <Screen name="advertiser/members" actions={invite}>
      <Loaded from={members}>
        <Table
          caption={words.members}
          isTitled
          columns={columns}
          rows={(members.data?.data ?? []).map(member => ({ ...member, id: member.user_id }))}
          isStale={members.isPlaceholderData}
        />
        {members.data && <Pages meta={members.data.meta} />}
      </Loaded>
      <Invitations workspace_id={workspace_id} />
      <RoleMatrix />
      {changed && (
        <ChangeMember
          workspace_id={workspace_id}
          member={changed}
          onClose={() => setChanged(null)}
        />
      )}
      {isInviting && (
        <InviteMember workspace_id={workspace_id} onClose={() => setInviting(false)} />
      )}
    </Screen>
  )
}
