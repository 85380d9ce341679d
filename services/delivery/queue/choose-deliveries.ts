const AT_ONCE_MAX = { workspace: 16, host: 64 } // attempts at one host

/** A delivery that is due, or attempts in progress, at a host. */
type AtHost = { workspace_id: number; host: string; is_proven: boolean }

/**
 * Chooses which deliveries are attempted now. `due` is in the order of their turns, `running` are the
 * attempts in progress. Receivers that do not answer keep at most half of a host, so that they cannot
 * hold up others there.
 */
export function chooseDeliveries<Due extends AtHost>(
  due: Due[],
  running: (AtHost & { attempts: number })[],
  wanted: number,
): Due[] {
  const counts = new Map<string, number>()
  const count = (place: string, more: number) => counts.set(place, (counts.get(place) ?? 0) + more)
  for (const { attempts, ...at } of running)
    for (const { place } of limitsOf(at)) count(place, attempts)

  const chosen: Due[] = []
  for (const delivery of due) {
    if (chosen.length === wanted) break
    const limits = limitsOf(delivery)
    if (limits.some(({ place, max }) => (counts.get(place) ?? 0) >= max)) continue
    for (const { place } of limits) count(place, 1)
    chosen.push(delivery)
  }
  return chosen
}

function limitsOf({ workspace_id, host, is_proven }: AtHost) {
  const limits = [
    { place: `${workspace_id} ${host}`, max: AT_ONCE_MAX.workspace },
    { place: host, max: AT_ONCE_MAX.host },
  ]
  if (is_proven) return limits
  return limits.flatMap(({ place, max }) => [
    { place, max },
    { place: `unproven ${place}`, max: max / 2 },
  ])
}
