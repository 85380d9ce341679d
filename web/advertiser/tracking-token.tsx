import { useState } from "preact/hooks"
import { useStep } from "../answers"
import { Copyable } from "../parts/copy"
import { Dialog } from "../parts/dialog"
import { Form } from "../parts/form"
import { useProgram } from "../session"
import { words } from "../words/en/integration"
import { keepToken, knownToken } from "./known-token"

/** The tracking token of a program, masked unless it was made on this page, and its replacement. */
export function TrackingToken({ programId }: { programId: number }) {
  const program = useProgram()
  const [isAsking, setAsking] = useState(false)
  const replace = useStep("regenerateToken", {
    onDone: ({ data }) => {
      keepToken(programId, data.api_token)
      setAsking(false)
    },
  })
  const token = knownToken(programId)
  return (
    <section class="card">
      <h2>{words.token}</h2>
      <p>{words.tokenText}</p>
      {token ? (
        <>
          <Copyable text={token} label={words.tokenNew} />
          <p class="quiet-text" role="status">
            {words.tokenOnce}
          </p>
        </>
      ) : (
        <p>
          {words.tokenMasked} <code>{program?.api_token_masked}</code>
        </p>
      )}
      <div class="actions">
        <button type="button" class="danger" onClick={() => setAsking(true)}>
          {words.regenerate}
        </button>
      </div>
      {isAsking && (
        <Dialog title={words.regenerateTitle} onClose={() => setAsking(false)}>
          <p>{words.regenerateText}</p>
          <Form
            action={words.regenerateDeed}
            isDangerous
            error={replace.error}
            isBusy={replace.isBusy}
            onSubmit={() => replace.take({ params: { id: programId } })}
          />
        </Dialog>
      )}
    </section>
  )
}
