import type { Role } from "../../../services/identity/contract"
import { useStep } from "../../answers"
import { Copyable } from "../../parts/copy"
import { Dialog } from "../../parts/dialog"
import { Field, Select } from "../../parts/field"
import { Form } from "../../parts/form"
import { words } from "../../words/en/members"
import { useRoles } from "./change-member"

/** Makes an invitation, and shows its link once. */
export function InviteMember({ workspace_id, onClose }: { workspace_id: number; onClose(): void }) {
  const roles = useRoles()
  const invite = useStep("inviteMember")
  const invited = invite.answer?.data
  if (invited) {
    const link = `${location.origin}/invitation?token=${invited.token}`
    return (
      <Dialog title={words.linkTitle} onClose={onClose}>
        <p>{words.linkText(invited.email)}</p>
        <Copyable text={link} label={words.link} />
        <div class="actions">
          <button type="button" class="primary" onClick={onClose}>
            {words.done}
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={words.inviteTitle} onClose={onClose}>
      <Form
        action={words.sendInvitation}
        error={invite.error}
        isBusy={invite.isBusy}
        onSubmit={({ email = "", role }) =>
          invite.take({ params: { id: workspace_id }, body: { email, role: role as Role } })
        }
      >
        <Field name="email" type="email" label={words.email} autoComplete="off" />
        <Select name="role" label={words.role} value="analyst" options={roles} />
      </Form>
    </Dialog>
  )
}
