import type { httpClient } from "./client"

const PARTNERS = 5
const PROGRAMS = "/api/advertiser/affiliate-programs"

export type Advertiser = Awaited<ReturnType<typeof newAdvertiser>>

/** A program for the traffic, and the codes of its partners' links. */
export async function newAdvertiser(post: ReturnType<typeof httpClient>, name = "chaos") {
  async function create(path: string, body: object, session?: string) {
    const answer = await post(path, body, session)
    if (answer.status === 201) return answer.body.data
    throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }

  const owner = { email: `${name}@example.com`, password: "correct horse battery", name }
  const { token: session } = await create("/api/auth/sign-up", owner)
  const { id, api_token } = await create(PROGRAMS, { name }, session)
  const codes: string[] = []
  for (let i = 0; i < PARTNERS; i++) {
    const partner = { email: `partner-${i}@example.com`, name: `Partner ${i}` }
    const { links } = await create(`${PROGRAMS}/${id}/partners`, partner, session)
    codes.push(links[0].code)
  }
  return { name, program_id: id as number, api_token: api_token as string, session, codes }
}
