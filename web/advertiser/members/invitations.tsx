import { useAnswer, useStep } from "../../answers"
import type { Answer } from "../../client"
import { announce } from "../../frame/toasts"
import { Loaded, Trouble } from "../../parts/states"
import { Status } from "../../parts/status"
import { type Column, Table } from "../../parts/table"
import { dateText } from "../../parts/when"
import { useMay } from "../../session"
import { words } from "../../words/en/members"

type Invitation = Answer<"listInvitations">["data"][number]

/** The invitations that are not accepted yet. */
export function Invitations({ workspace_id }: { workspace_id: number }) {
  const may = useMay()
  const invitations = useAnswer("listInvitations", {
    params: { id: workspace_id },
    query: { pageSize: 100 },
  })
  const withdraw = useStep("withdrawInvitation")
  const take = ({ id, email }: Invitation) =>
    withdraw
      .takeAndWait({ params: { id: workspace_id, invitationId: id } })
      .then(() => announce(words.withdrawn(email)))
      .catch(() => {}) // shown by <Trouble>

  const columns: Column<Invitation>[] = [
    { name: "email", head: words.invitationFor, cell: ({ email }) => email },
    { name: "role", head: words.role, cell: ({ role }) => words.roles[role] },
    { name: "by", head: words.by, cell: ({ invited_by_name }) => invited_by_name ?? words.no },
    {
      name: "until",
      head: words.until,
      cell: ({ expires_at, has_expired }) =>
        has_expired ? <Status tone="warn" text={words.hasExpired} /> : dateText(expires_at),
    },
  ]
  if (may("member:manage")) {
    columns.push({
      name: "withdraw",
      head: words.withdraw,
      cell: invitation => (
        <button
          type="button"
          aria-label={words.withdrawLabel(invitation.email)}
          disabled={withdraw.isBusy}
          onClick={() => take(invitation)}
        >
          {words.withdraw}
        </button>
      ),
    })
  }
  const rows = invitations.data?.data ?? []
  return (
    <section>
      <h2>{words.invitations}</h2>
      <Trouble error={withdraw.error} isWrite />
      <Loaded from={invitations}>
        {rows.length === 0 ? (
          <p class="quiet-text">{words.noInvitations}</p>
        ) : (
          <Table caption={words.invitationsCaption} isTitled columns={columns} rows={rows} />
        )}
      </Loaded>
    </section>
  )
}
