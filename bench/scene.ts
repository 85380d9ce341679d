import type { System } from "./system"

const AT_ONCE = 16

export type Scene = { program_id: number; api_token: string; codes: string[] }

/** A program with so many partners, each with one link. */
export async function setScene({ url }: System, partners: number): Promise<Scene> {
  const send = async (path: string, body: object, token?: string) => {
    const credential: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const headers = { "content-type": "application/json", ...credential }
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()).data
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
  for (let i = 0; i < partners; i += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, partners - i) }, (_, j) => join(i + j))
    await Promise.all(some)
  }
  return { program_id: id, api_token, codes }
}
