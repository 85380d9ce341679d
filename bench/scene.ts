import type { System } from "./system"

const CONCURRENCY = 16

export type Scene = { program_id: number; api_token: string; codes: string[] }

/** Creates a program with so many partners, each with one link. */
export async function createScene({ url }: System, partners: number): Promise<Scene> {
  const send = async (path: string, body: object, token?: string) => {
    const credential: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const headers = { "content-type": "application/json", ...credential }
    const reply = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()).data
  }
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
