import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { words } from "../words/en/dialog"

/** A modal dialog, open as long as it is rendered. The focus goes back to its opener when it closes. */
export function Dialog({
  title,
  children,
  isWide = false,
  onClose,
}: {
  title: string
  children: ComponentChildren
  /** For long lines, such as those of a request. */
  isWide?: boolean
  onClose(): void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    dialog.current?.showModal()
    return () => opener?.focus()
  }, [])
  return (
    <dialog ref={dialog} class={isWide ? "wide" : undefined} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          class="quiet"
          aria-label={words.close}
          onClick={() => dialog.current?.close()}
        >
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}
