import { useState } from "preact/hooks"
import type { Selection } from "./table"

/** Which rows of a table are selected. `labelOf` names a row in its checkbox. */
export function useSelection(labelOf: (id: number) => string) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const selection: Selection = {
    ids,
    labelOf,
    toggle: id =>
      setIds(new Set(ids.has(id) ? [...ids].filter(other => other !== id) : [...ids, id])),
    setAll: all => setIds(new Set(all)),
  }
  return { ...selection, clear: () => setIds(new Set()) }
}
