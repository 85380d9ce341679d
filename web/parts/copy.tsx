import { announce } from "../frame/toasts"
import { words } from "../words/en/dialog"

/** A text to take along, with a button that copies it. `label` says what it is. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(words.copied)
  }
  return (
    <span class="copyable">
      <code>{text}</code>
      <button type="button" aria-label={`${words.copy} ${label}`} onClick={copy}>
        {words.copy}
      </button>
    </span>
  )
}
