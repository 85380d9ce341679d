export const ROWS_MAX_BYTES = 768 * 1024 // in one message; NATS refuses 1 MiB

/** The first of these rows, as many as one message has room for, but at least one. */
export function rowsThatFit<Row>(found: Row[]): Row[] {
  const { rows } = fitInto(ROWS_MAX_BYTES, found)
  return rows.length === 0 ? found.slice(0, 1) : rows
}

/** The first of these rows, as many as so many bytes hold, and how many bytes they take. */
export function fitInto<Row>(room: number, found: Row[]): { rows: Row[]; bytes: number } {
  const bytes = bytesOf(found)
  if (bytes <= room) return { rows: found, bytes }

  let taken = 0
  for (const [i, row] of found.entries()) {
    const more = bytesOf(row) + 1 // the comma after it
    if (taken + more > room) return { rows: found.slice(0, i), bytes: taken }
    taken += more
  }
  return { rows: found, bytes: taken }
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
