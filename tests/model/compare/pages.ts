import type { Send } from "../client"
import type { Program } from "../state"

const PAUSE_MS = 200
const TRIES_MAX = 300

/** Reads what the program's owner sees, again and again until it includes all that was answered before. */
export async function readAs(send: Send, token: string, path: string): Promise<any> {
  for (let tries = 1; ; tries++) {
    const { status, body } = await send({ method: "GET", path, token })
    if (status === 200 && !body.meta?.appliedUntil) return body
    const isWaiting = status === null || status === 200 || status >= 500
    if (!isWaiting || tries === TRIES_MAX)
      throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
    await Bun.sleep(PAUSE_MS)
  }
}

export const managed = ({ id }: Program, path: string) =>
  `/api/advertiser/affiliate-programs/${id}${path}`

/** Walks all pages of a list. Throws if they have more or fewer rows than the list says. */
export async function readPages(send: Send, token: string, path: string): Promise<any[]> {
  const rows: any[] = []
  for (let page = 1; ; page++) {
    const joint = path.includes("?") ? "&" : "?"
    const { data, meta } = await readAs(send, token, `${path}${joint}page=${page}&pageSize=100`)
    rows.push(...data)
    const { total, pageCount } = meta.pagination
    if (page < pageCount) continue
    if (rows.length === total && pageCount === Math.ceil(total / 100)) return rows
    throw new Error(`GET ${path}: ${rows.length} rows of ${total} on ${pageCount} pages`)
  }
}
