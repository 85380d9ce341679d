import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useStep } from "../answers"
import { announce } from "../frame/toasts"
import { Dialog } from "../parts/dialog"
import { Form } from "../parts/form"
import { Trouble } from "../parts/states"
import { words } from "../words/en/postbacks"
import { usePostbackPlace } from "./place"
import type { Postback } from "./postback"

/** Enables, disables and deletes a postback. */
export function PostbackSteps({ postback: { id, status } }: { postback: Postback }) {
  const { operations, params } = usePostbackPlace()
  const [isRemoving, setRemoving] = useState(false)
  const change = useStep(operations.update, {
    isRepeatable: true,
    onDone: ({ data }) => announce(data.status === "enabled" ? words.enabled : words.disabled),
  })
  const next = status === "enabled" ? "disabled" : "enabled"
  return (
    <>
      <div class="actions">
        <button
          type="button"
          disabled={change.isBusy}
          onClick={() =>
            change.take({ params: { ...params, postbackId: id }, body: { status: next } })
          }
        >
          {status === "enabled" ? words.disable : words.enable}
        </button>
        <button type="button" onClick={() => setRemoving(true)}>
          {words.remove}
        </button>
      </div>
      <Trouble error={change.error} isWrite />
      {isRemoving && <Remove id={id} onClose={() => setRemoving(false)} />}
    </>
  )
}

function Remove({ id, onClose }: { id: number; onClose(): void }) {
  const { go } = useAddress()
  const { operations, params, base } = usePostbackPlace()
  const remove = useStep(operations.remove, {
    onDone: () => {
      announce(words.removed)
      onClose()
      go(base)
    },
  })
  return (
    <Dialog title={words.removeTitle} onClose={onClose}>
      <p>{words.removeText}</p>
      <Form
        action={words.removeSubmit}
        error={remove.error}
        isBusy={remove.isBusy}
        isDangerous
        onSubmit={() => remove.take({ params: { ...params, postbackId: id } })}
      />
    </Dialog>
  )
}
