import { useLayoutEffect, useState } from "preact/hooks"
import { hasSingleKeys, isTyping } from "../frame/shortcuts"

/** Moves along the rows of a list with j and k, and does what other keys say with the row it is at. */
export function useRowKeys<Id>(ids: Id[], deeds: Record<string, (at: Id | undefined) => void>) {
  const [current, setCurrent] = useState<Id>()
  // With what is drawn, not a moment later: the next key may already be pressed.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (!hasSingleKeys()) return
      const at = current === undefined ? -1 : ids.indexOf(current)
      if (event.key === "j") setCurrent(ids[Math.min(at + 1, ids.length - 1)])
      else if (event.key === "k") setCurrent(ids[Math.max(at - 1, 0)])
      else if (deeds[event.key]) {
        event.preventDefault()
        deeds[event.key]?.(current)
      }
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  })
  return current
}
