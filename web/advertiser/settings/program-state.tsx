import { useEffect, useState } from "preact/hooks"
import { useStep } from "../../answers"
import { Form } from "../../parts/form"
import { Trouble } from "../../parts/states"
import { dateText } from "../../parts/when"
import { useMay } from "../../session"
import { words } from "../../words/en/program-settings"
import type { Program } from "../program-settings"
import { ArchiveProgram } from "./archive-program"

/** Pausing, publishing and archiving a program. */
export function ProgramState({ program, onRefused }: { program: Program; onRefused(): unknown }) {
  const { id, status, published_at, slug } = program
  const may = useMay()
  const [isArchiving, setArchiving] = useState(false)
  const update = useStep("updateProgram")
  const publish = useStep("publishProgram")
  const refusal = update.error ?? publish.error
  useEffect(() => void (refusal && onRefused()), [refusal])
  const isPaused = status === "paused"
  return (
    <section class="card">
      <h2>{words.status}</h2>
      {published_at ? (
        <p>
          {words.published(dateText(published_at))} <a href={`/join/${slug}`}>{words.publicPage}</a>
        </p>
      ) : (
        <>
          <p>{words.publishText}</p>
          <Form
            action={words.publish}
            error={publish.error}
            isBusy={publish.isBusy}
            onSubmit={() => publish.take({ params: { id } })}
          />
        </>
      )}
      <p>{isPaused ? words.resumeText : words.pauseText}</p>
      <Trouble error={update.error} isWrite />
      <div class="actions">
        <button
          type="button"
          disabled={update.isBusy}
          onClick={() =>
            update.take({ params: { id }, body: { status: isPaused ? "active" : "paused" } })
          }
        >
          {isPaused ? words.resume : words.pause}
        </button>
        {may("program:delete") && (
          <button type="button" class="danger" onClick={() => setArchiving(true)}>
            {words.archive}
          </button>
        )}
      </div>
      {isArchiving && <ArchiveProgram program={program} onClose={() => setArchiving(false)} />}
    </section>
  )
}
