import { existsSync, readFileSync } from "node:fs"

/** A line in the journal of a receiver. `started_at`: its process is a new one. */
export type Line =
  | { started_at: number }
  | {
      opened: number // the request, counted by the process
      opened_at: number // ms since 1970, as every time here
      event_id: string
      body_hash: string
      is_signed: boolean // an official verifier accepts its signature and time
    }
  | { closed: number; closed_at: number; status: number | null } // null: the sender was cut off

/** A request that a receiver got. A status of null: the sender got no answer. */
export type Received = {
  event_id: string
  body_hash: string
  is_signed: boolean
  opened_at: number
  closed_at: number // infinite: it is still open
  status: number | null
}

export const isOpen = ({ closed_at }: Received) => closed_at === Infinity

/** Reads the journal of a receiver. What was open when the receiver was killed ended with it. */
export function readReceived(path: string): Received[] {
  if (!existsSync(path)) return []
  const received: Received[] = []
  let open = new Map<number, Received>()
  for (const text of readFileSync(path, "utf8").trimEnd().split("\n")) {
    const line: Line = JSON.parse(text)
    if ("started_at" in line) {
      for (const request of open.values()) request.closed_at = line.started_at
      open = new Map()
    } else if ("opened" in line) {
      const { opened, ...request } = line
      open.set(opened, { ...request, closed_at: Infinity, status: null })
      received.push(open.get(opened)!)
    } else {
      const { closed, ...outcome } = line
      Object.assign(open.get(closed)!, outcome)
      open.delete(closed)
    }
  }
  return received
}
