import { useState } from "preact/hooks"
import { useStep } from "../answers"
import type { Answer } from "../client"
import { Dialog } from "../parts/dialog"
import { Field } from "../parts/field"
import { Form } from "../parts/form"
import { words } from "../words/en/commissions"

const REASON_MAX = 1_024

export type Settled = Answer<"settleCommissions">["data"]

/** Asks for the reason of a rejection, and shows the sentence that the partners will read. */
export function Rejection({
  program_id,
  ids,
  onClose,
  onDone,
}: {
  program_id: string
  ids: number[]
  onClose(): void
  onDone(rows: Settled): void
}) {
  const [reason, setReason] = useState("")
  const reject = useStep("settleCommissions", {
    onDone: ({ data }) => {
      onDone(data)
      onClose()
    },
  })
  return (
    <Dialog title={words.rejectTitle(ids.length)} onClose={onClose}>
      <p>{words.rejectText}</p>
      <Form
        action={words.reject(ids.length)}
        isDangerous
        error={reject.error}
        isBusy={reject.isBusy}
        onSubmit={fields =>
          reject.take({
            params: { id: program_id },
            body: { action: "reject", ids, reason: fields.reason },
          })
        }
      >
        <Field
          name="reason"
          label={words.reason}
          hint={words.reasonHint}
          rows={3}
          maxLength={REASON_MAX}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <figure class="preview">
          <figcaption>{words.preview}</figcaption>
          <blockquote>
            <bdi>{words.previewText(reason)}</bdi>
          </blockquote>
        </figure>
      </Form>
    </Dialog>
  )
}
