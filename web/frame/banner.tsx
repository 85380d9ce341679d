import { useEffect, useState } from "preact/hooks"
import { words } from "../words/en/frame"

/** Says that the browser is offline. What is loaded stays readable. */
export function Banner() {
  const isOnline = useOnline()
  return (
    <div role="status" class="banner" hidden={isOnline}>
      {isOnline ? "" : words.offline}
    </div>
  )
}

/** Whether the browser has a network. Writes are disabled without one, and never queued. */
export function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = () => setOnline(navigator.onLine)
    addEventListener("online", update)
    addEventListener("offline", update)
    return () => {
      removeEventListener("online", update)
      removeEventListener("offline", update)
    }
  }, [])
  return isOnline
}
