import { launchAlone } from "./busy"
import { holdClock } from "./clock"

export type Traveller = Awaited<ReturnType<typeof newTraveller>>
export type Travelled = Awaited<ReturnType<Traveller["newProgram"]>>
type Answer = { status: number; body: any; text: string } // any: each asker knows what it asked

/** A Tributary in which things happen when we say so: the clock of its database is in our hands. */
export async function newTraveller() {
  const { url, data_dir, sql } = await launchAlone()
  const clock = await holdClock(sql)
  while (!(await fetch(`${url}/status`)).ok) await Bun.sleep(20) // its sessions were ended
  let count = 0
  const unique = (what: string) => `${what}-${++count}`

  async function request(method: string, path: string, token = "", body?: object): Promise<Answer> {
    const authorization = token && { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { "content-type": "application/json", ...authorization },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${text}`)
    return { status: answer.status, body: JSON.parse(text), text }
  }

  /** A question, asked until its answer has all that was answered before. */
  async function ask(path: string, session: string): Promise<Answer> {
    for (;;) {
      const answer = await request("GET", path, session)
      if (!answer.body.meta?.appliedUntil) return answer
    }
  }

  /** A program that is made at a time. Its session begins today, and so outlives all travels. */
  async function newProgram(at: string, terms: object) {
    await clock.letGo()
    const owner = { email: `${unique("owner")}@example.com`, password: "correct horse battery" }
    const signed = await request("POST", "/api/auth/sign-up", "", { ...owner, name: "Owner" })
    const session: string = signed.body.data.token

    await clock.set(at)
    const programs = "/api/advertiser/affiliate-programs"
    const made = await request("POST", programs, session, { name: unique("Program"), ...terms })
    const { id, api_token: token } = made.body.data as { id: number; api_token: string }

    async function addPartner(): Promise<string> {
      const partner = { email: `${unique("partner")}@example.com`, name: "Partner" }
      const added = await request("POST", `${programs}/${id}/partners`, session, partner)
      return added.body.data.links[0].code
    }
    const track = (what: string, body: object, has_token = true) =>
      request("POST", `/api/v1/track/${what}`, has_token ? token : "", body)

    return { id, session, track, addPartner }
  }

  return { sql, clock, data_dir, unique, ask, newProgram }
}
