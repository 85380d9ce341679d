import { useState } from "preact/hooks"
import { useStep } from "../../answers"
import { announce } from "../../frame/toasts"
import { Dialog } from "../../parts/dialog"
import { Field } from "../../parts/field"
import { Form } from "../../parts/form"
import { Trouble } from "../../parts/states"
import { useProgramId } from "../../session"
import { words } from "../../words/en/links"
import type { Link } from "./link"

/** Pauses or resumes a link, and changes where it leads. */
export function LinkSteps({ link }: { link: Link }) {
  const id = useProgramId()!
  const [isEditing, setEditing] = useState(false)
  const isActive = link.status === "active"
  const params = { id, linkId: link.id }
  const pause = useStep("updateLink", {
    isRepeatable: true,
    onDone: ({ data: { status, code } }) =>
      announce(status === "active" ? words.resumed(code) : words.paused(code)),
  })
  const edit = useStep("updateLink", {
    isRepeatable: true,
    onDone: () => {
      announce(words.saved)
      setEditing(false)
    },
  })
  return (
    <span class="actions">
      <button
        type="button"
        disabled={pause.isBusy}
        aria-label={isActive ? words.pause(link.code) : words.resume(link.code)}
        onClick={() => pause.take({ params, body: { status: isActive ? "inactive" : "active" } })}
      >
        {isActive ? words.pauseShort : words.resumeShort}
      </button>
      <button type="button" aria-label={words.edit(link.code)} onClick={() => setEditing(true)}>
        {words.editShort}
      </button>
      <Trouble error={pause.error} isWrite />
      {isEditing && (
        <Dialog title={words.editTitle} onClose={() => setEditing(false)}>
          <Form
            action={words.save}
            error={edit.error}
            isBusy={edit.isBusy}
            onSubmit={({ destination_url }) =>
              edit.take({ params, body: { destination_url: destination_url || null } })
            }
          >
            <p>{words.editText}</p>
            <Field
              name="destination_url"
              type="url"
              label={words.target}
              hint={words.targetHint}
              value={link.destination_url}
              isOptional
            />
          </Form>
        </Dialog>
      )}
    </span>
  )
}
