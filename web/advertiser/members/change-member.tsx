import type { Role } from "../../../services/identity/contract"
import { useStep } from "../../answers"
import { announce } from "../../frame/toasts"
import { Dialog } from "../../parts/dialog"
import { Select } from "../../parts/field"
import { Form } from "../../parts/form"
import { useMembership } from "../../session"
import { words } from "../../words/en/members"
import type { Member } from "../members"

/** Changes the role or status of a member, or removes them. */
export function ChangeMember({
  workspace_id,
  member,
  onClose,
}: {
  workspace_id: number
  member: Member
  onClose(): void
}) {
  const params = { id: workspace_id, userId: member.user_id }
  const update = useStep("updateMember", { onDone: onClose })
  const remove = useStep("removeMember", {
    onDone: () => {
      announce(words.removed(member.name))
      onClose()
    },
  })
  return (
    <Dialog title={words.changeTitle(member.name)} onClose={onClose}>
      <Form
        action={words.save}
        error={update.error}
        isBusy={update.isBusy}
        onSubmit={({ role, status }) =>
          update.take({
            params,
            body: { role: role as Role, status: status as Member["status"] },
          })
        }
      >
        <Select
          name="role"
          label={words.role}
          value={member.role}
          options={useRoles(member.role)}
        />
        <Select
          name="status"
          label={words.status}
          value={member.status}
          hint={words.suspendHint}
          options={Object.entries(words.statuses)}
        />
      </Form>
      <hr />
      <p>{words.removeText(member.name)}</p>
      <Form
        action={words.remove}
        error={remove.error}
        isBusy={remove.isBusy}
        isDangerous
        onSubmit={() => remove.take({ params })}
      />
    </Dialog>
  )
}

/** The roles that the person may give: an owner's only as an owner. `present` is always among them. */
export function useRoles(present?: Role): [Role, string][] {
  const own = useMembership()?.role
  const roles = Object.entries(words.roleTexts) as [Role, string][]
  return roles.filter(([role]) => role !== "owner" || own === "owner" || present === "owner")
}
