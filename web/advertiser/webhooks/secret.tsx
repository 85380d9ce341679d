import { Copyable } from "../../parts/copy"
import { Dialog } from "../../parts/dialog"
import { words } from "../../words/en/webhooks"

/** A new secret, which is shown only once. */
export function Secret({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog title={words.secretTitle} onClose={onClose}>
      <p>{words.secretText}</p>
      <Copyable text={secret} label={words.secretLabel} />
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {words.secretDone}
        </button>
      </div>
    </Dialog>
  )
}
