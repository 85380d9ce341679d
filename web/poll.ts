import { useEffect, useState } from "preact/hooks"

const OFTEN_MS = 2_000
const SELDOM_MS = 10_000
const OFTEN_FOR_MS = 5 * 60_000

/** How often a live screen asks: each 2 s, after five minutes each 10 s. A hidden page does not ask. */
export function usePollInterval(): number {
  const [poll_ms, setPoll] = useState(OFTEN_MS)
  useEffect(() => {
    const timer = setTimeout(() => setPoll(SELDOM_MS), OFTEN_FOR_MS)
    return () => clearTimeout(timer)
  }, [])
  return poll_ms
}
