import { useEffect, useState } from "preact/hooks"
import { useAddress } from "../address"
import { Dialog } from "../parts/dialog"
import { useProgramId } from "../session"
import { words } from "../words/en/shortcuts"

const PATHS: Record<string, string> = {
  o: "",
  c: "/commissions",
  p: "/partners",
  e: "/events",
  l: "/links",
}
const KEY = "single-keys"

export const hasSingleKeys = () => localStorage.getItem(KEY) !== "off"

/** Single keys: "/" searches, "g" and a letter goes to a screen, "?" lists them. They can be turned off. */
export function Shortcuts() {
  const { go } = useAddress()
  const program_id = useProgramId()
  const [isListed, setListed] = useState(false)

  useEffect(() => {
    let isGoing = false
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === "?") return setListed(true)
      if (!hasSingleKeys()) return
      if (event.key === "/") {
        const search = document.querySelector<HTMLInputElement>("input[type=search]")
        if (!search) return
        event.preventDefault()
        return search.focus()
      }
      const path = PATHS[event.key]
      if (isGoing && path !== undefined && program_id !== null) go(`/programs/${program_id}${path}`)
      isGoing = event.key === "g"
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [program_id, go])

  if (!isListed) return null
  return (
    <Dialog title={words.title} onClose={() => setListed(false)}>
      <dl class="facts">
        {words.keys.map(([key, deed]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{deed}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          defaultChecked={hasSingleKeys()}
          onChange={({ currentTarget }) =>
            localStorage.setItem(KEY, currentTarget.checked ? "on" : "off")
          }
        />
        {words.single}
      </label>
    </Dialog>
  )
}

/** Whether a key belongs to a field or an open dialog. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, dialog, [contenteditable]") !== null
