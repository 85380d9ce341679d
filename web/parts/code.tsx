import { announce } from "../frame/toasts"
import { words } from "../words/en/dialog"

/** Several lines of code, with a button that copies them. `label` says what they are. */
export function Code({ text, label }: { text: string; label: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(words.copied)
  }
  return (
    <div class="code">
      <pre>{text}</pre>
      <button type="button" aria-label={`${words.copy} ${label}`} onClick={copy}>
        {words.copy}
      </button>
    </div>
  )
}
