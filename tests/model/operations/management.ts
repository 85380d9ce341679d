import type { Program } from "../state"

/** A call of the program's Management API, by its owner or by a key. */
export function management(program: Program, method: string, path: string, body?: unknown) {
  const { id, owner, random } = program
  return {
    method,
    path: `/api/advertiser/affiliate-programs/${id}${path}`,
    token: random.happens(0.5) ? owner.session : owner.key,
    body,
  }
}
