import { controlClock } from "./clock"
import type { Reply } from "./http"
import { launchOwnSystem } from "./own-system"

export type ClockedSystem = Awaited<ReturnType<typeof launchWithClock>>
export type ClockedProgram = Awaited<ReturnType<ClockedSystem["newProgram"]>>

/** Starts a Tributary whose database clock the test controls. */
export async function launchWithClock() {
  const system = await launchOwnSystem()
  const { url, data_dir, sql } = system
  const clock = await controlClock(sql)
  while (!(await fetch(`${url}/status`)).ok) await Bun.sleep(20) // its sessions were terminated
  let count = 0
  const unique = (prefix: string) => `${prefix}-${++count}`

  async function request(method: string, path: string, token?: string, body?: object) {
    const reply = await system.request(method, path, { token, body })
    if (reply.status < 500) return reply
    throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`)
  }

  /** Reads a report, again and again until it includes everything answered before. */
  async function read(path: string, session: string): Promise<Reply> {
    for (;;) {
      const answer = await request("GET", path, session)
      if (!answer.body.meta?.appliedUntil) return answer
    }
  }

  /** Creates a program at a given time. Its session starts at the real time, so it does not expire. */
  async function newProgram(at: string, terms: object) {
    await clock.release()
    const owner = { email: `${unique("owner")}@example.com`, password: "correct horse battery" }
    const signUp = await request("POST", "/api/auth/sign-up", undefined, {
      ...owner,
      name: "Owner",
    })
    const session: string = signUp.body.data.token

    await clock.set(at)
    const programs = "/api/advertiser/affiliate-programs"
    const created = await request("POST", programs, session, { name: unique("Program"), ...terms })
    const { id, api_token: token } = created.body.data as { id: number; api_token: string }

    async function addPartner(): Promise<string> {
      const partner = { email: `${unique("partner")}@example.com`, name: "Partner" }
      const added = await request("POST", `${programs}/${id}/partners`, session, partner)
      return added.body.data.links[0].code
    }
    const track = (what: string, body: object, has_token = true) =>
      request("POST", `/api/v1/track/${what}`, has_token ? token : undefined, body)

    return { id, session, track, addPartner }
  }

  return { sql, clock, data_dir, unique, read, newProgram }
}
