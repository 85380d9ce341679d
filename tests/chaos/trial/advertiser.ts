import type { httpClient } from "./client"

const PARTNERS = 5
const PROGRAMS = "/api/advertiser/affiliate-programs"

export type Advertiser = Awaited<ReturnType<typeof newAdvertiser>>

/**
 * Creates a program with five partners. `codes` are the codes of their referral links. `prepare` runs
 * before there is a program, with the session of the workspace.
 */
export async function newAdvertiser(
  post: ReturnType<typeof httpClient>,
  name = "chaos",
  prepare: (session: string) => unknown = () => {},
) {
  async function create(path: string, body: object, session?: string) {
    const reply = await post(path, body, session)
    if (reply.status === 201) return reply.body.data
    throw new Error(`POST ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  }

  const owner = { email: `${name}@example.com`, password: "correct horse battery", name }
  const { token: session } = await create("/api/auth/sign-up", owner)
  await prepare(session)
  const terms = { name, cookie_window_days: 365 } // the clock may be 300 days ahead
  const { id, api_token } = await create(PROGRAMS, terms, session)
  const codes: string[] = []
  for (let i = 0; i < PARTNERS; i++) {
    const partner = { email: `partner-${i}@example.com`, name: `Partner ${i}` }
    const { links } = await create(`${PROGRAMS}/${id}/partners`, partner, session)
    codes.push(links[0].code)
  }
  return { name, program_id: id as number, api_token: api_token as string, session, codes }
}
