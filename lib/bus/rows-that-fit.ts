export const ROWS_MAX_BYTES = 768 * 1024 // in one message; NATS refuses messages over 1 MiB

/** Returns as many of the first rows as one message can hold, but at least one. */
export function rowsThatFit<Row>(found: Row[]): Row[] {
  const { rows } = fitInto(ROWS_MAX_BYTES, found)
  return rows.length === 0 ? found.slice(0, 1) : rows
}

/** Returns as many of the first rows as fit into `maxBytes` of JSON, and their size in bytes. */
export function fitInto<Row>(maxBytes: number, found: Row[]): { rows: Row[]; bytes: number } {
  const bytes = bytesOf(found)
  if (bytes <= maxBytes) return { rows: found, bytes }

  let taken = 0
  for (const [i, row] of found.entries()) {
    const more = bytesOf(row) + 1 // the comma after it
    if (taken + more > maxBytes) return { rows: found.slice(0, i), bytes: taken }
    taken += more
  }
  return { rows: found, bytes: taken }
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
