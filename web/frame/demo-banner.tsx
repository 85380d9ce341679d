import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useStep } from "../answers"
import { Dialog } from "../parts/dialog"
import { Form } from "../parts/form"
import { useMay, useProgram } from "../session"
import { words } from "../words/en/demo-banner"

/** Says that the program's history was made up, and removes the program from all lists. */
export function DemoBanner() {
  const program = useProgram()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  if (!program?.is_demo || program.status === "archived") return null
  return (
    <div class="banner demo" role="note">
      <span>{words.madeUp}</span>{" "}
      {may("program:delete") && (
        <button type="button" onClick={() => setAsking(true)}>
          {words.remove}
        </button>
      )}
      {isAsking && <Removal id={program.id} onClose={() => setAsking(false)} />}
    </div>
  )
}

function Removal({ id, onClose }: { id: number; onClose(): void }) {
  const { go } = useAddress()
  const archive = useStep("archiveProgram", {
    isRepeatable: true,
    onDone: () => {
      onClose()
      go("/programs")
    },
  })
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.outcome}</p>
      <Form
        action={words.remove}
        isDangerous
        isBusy={archive.isBusy}
        error={archive.error}
        onSubmit={() => archive.take({ params: { id } })}
      />
    </Dialog>
  )
}
