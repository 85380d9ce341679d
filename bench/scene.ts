import { succeedingClient } from "../tests/support/http"
import type { System } from "./system"

const CONCURRENCY = 16

export type Scene = { program_id: number; api_token: string; codes: string[] }

/** Creates a program with `partners` partners, each with one link. */
export async function createScene({ url }: System, partners: number): Promise<Scene> {
  const client = succeedingClient(url)
  const send = (path: string, body: object, token?: string) => client("POST", path, { body, token })
  const owner = { email: "owner@example.com", password: "correct horse battery", name: "Owner" }
  const { token } = await send("/api/auth/sign-up", owner)
  const programs = "/api/advertiser/affiliate-programs"
  const { id, api_token } = await send(programs, { name: "Bench" }, token)

  const codes: string[] = []
  const join = async (i: number) => {
    const partner = { email: `${crypto.randomUUID()}@example.com`, name: `Partner ${i}` }
    const { links } = await send(`${programs}/${id}/partners`, partner, token)
    codes.push(links[0].code)
  }
  for (let i = 0; i < partners; i += CONCURRENCY) {
    const batch = Array.from({ length: Math.min(CONCURRENCY, partners - i) }, (_, j) => join(i + j))
    await Promise.all(batch)
  }
  return { program_id: id, api_token, codes }
}
