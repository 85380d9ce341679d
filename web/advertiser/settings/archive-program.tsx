import { useState } from "preact/hooks"
import { useStep } from "../../answers"
import { Dialog } from "../../parts/dialog"
import { Field } from "../../parts/field"
import { Trouble } from "../../parts/states"
import { words } from "../../words/en/program-settings"
import type { Program } from "../program-settings"

/** Says what cannot be undone, and archives once the name is typed. */
export function ArchiveProgram({
  program: { id, name },
  onClose,
}: {
  program: Program
  onClose(): void
}) {
  const [typed, setTyped] = useState("")
  const archive = useStep("archiveProgram", { onDone: onClose })
  return (
    <Dialog title={words.archiveTitle(name)} onClose={onClose}>
      <p>{words.archiveText}</p>
      <ul>
        {words.archiveEffects.map(effect => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <Field
        name="confirm"
        label={words.archiveConfirm(name)}
        autoComplete="off"
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Trouble error={archive.error} isWrite />
      <div class="actions">
        <button
          type="button"
          class="danger"
          disabled={typed.trim() !== name.trim() || archive.isBusy}
          onClick={() => archive.take({ params: { id } })}
        >
          {words.archiveDeed}
        </button>
      </div>
    </Dialog>
  )
}
