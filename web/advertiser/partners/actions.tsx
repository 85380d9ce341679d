import { useState } from "preact/hooks"
import { useStep } from "../../answers"
import { announce } from "../../frame/toasts"
import { Copyable } from "../../parts/copy"
import { Dialog } from "../../parts/dialog"
import { Form } from "../../parts/form"
import { Trouble } from "../../parts/states"
import { useMay, useProgramId } from "../../session"
import { words } from "../../words/en/one-partner"
import { words as listWords } from "../../words/en/partners"
import type { Partner } from "./partner-status"

/** The steps that a partner's state allows, and a look through their eyes. */
export function PartnerActions({ partner }: { partner: Partner }) {
  const may = useMay()
  const id = useProgramId()!
  const { partner_id, status, account } = partner
  const [isRemoving, setRemoving] = useState(false)
  const change = useStep("updatePartner", {
    isRepeatable: true,
    onDone: () => {
      setRemoving(false)
      announce(words.saved)
    },
  })
  const invite = useStep("invitePartner")
  const params = { id, partnerId: partner_id }
  const put = (next: Partner["status"]) => change.take({ params, body: { status: next } })
  const lookOn = (
    <a class="button" href={`/partner/programs/${id}?as_partner=${partner_id}`}>
      {words.asPartner}
    </a>
  )
  if (!may("program:update")) return lookOn

  return (
    <>
      {lookOn}
      {account !== "bound" && status !== "removed" && (
        <button type="button" disabled={invite.isBusy} onClick={() => invite.take({ params })}>
          {account === "invited" ? words.inviteAgain : words.invite}
        </button>
      )}
      {status !== "approved" && (
        <button type="button" disabled={change.isBusy} onClick={() => put("approved")}>
          {words.approve}
        </button>
      )}
      {status === "approved" && (
        <button type="button" disabled={change.isBusy} onClick={() => put("suspended")}>
          {words.suspend}
        </button>
      )}
      {status !== "removed" && (
        <button type="button" class="danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </button>
      )}
      <Trouble error={invite.error ?? (isRemoving ? null : change.error)} isWrite />
      {isRemoving && (
        <Dialog title={words.removeTitle(partner.name)} onClose={() => setRemoving(false)}>
          <Form
            action={words.removeDo}
            error={change.error}
            isBusy={change.isBusy}
            isDangerous
            onSubmit={() => put("removed")}
          >
            <p>{listWords.removeText}</p>
          </Form>
        </Dialog>
      )}
      {invite.answer && (
        <Dialog title={words.invitationTitle} onClose={invite.reset}>
          <p>{words.invitationText(partner.email)}</p>
          <Copyable
            text={`${location.origin}/invitation?token=${invite.answer.data.token}`}
            label={words.invitationLabel}
          />
        </Dialog>
      )}
    </>
  )
}
