import { useStep } from "../../answers"
import { announce } from "../../frame/toasts"
import { Dialog } from "../../parts/dialog"
import { Form } from "../../parts/form"
import { words } from "../../words/en/keys"
import type { Key } from "../keys"

/** Asks before a key is revoked for good. */
export function RevokeKey({ of: { id, name }, onClose }: { of: Key; onClose(): void }) {
  const revoke = useStep("revokeKey", {
    onDone: () => {
      announce(words.wasRevoked(name))
      onClose()
    },
  })
  return (
    <Dialog title={words.revokeTitle(name)} onClose={onClose}>
      <p>{words.revokeText}</p>
      <Form
        action={words.revokeDeed}
        error={revoke.error}
        isBusy={revoke.isBusy}
        isDangerous
        onSubmit={() => revoke.take({ params: { id } })}
      />
    </Dialog>
  )
}
