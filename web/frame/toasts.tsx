import { signal } from "./signal"

const SHOWN_MS = 6_000

const shown = signal<string[]>([])

/** Announces what was done, at the bottom of the page, for a few seconds. */
export function announce(sentence: string) {
  shown.set([...shown.get(), sentence])
  setTimeout(() => shown.set(shown.get().slice(1)), SHOWN_MS)
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {shown.use().map((sentence, i) => (
        <p key={`${i}${sentence}`}>{sentence}</p>
      ))}
    </div>
  )
}
