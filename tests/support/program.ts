import { send } from "./world"

const PROGRAMS = "/api/advertiser/affiliate-programs"

let count = 0
const unique = (prefix: string) => `${prefix}-${Date.now().toString(36)}-${process.pid}-${++count}`

/** A program of a new workspace, with one approved partner and its link. */
export async function newProgram(fields: object = {}) {
  const owner = await newOwner()
  return newProgramOf(owner, fields)
}

/** Another program of the same owner. */
export async function newProgramOf(owner: Owner, fields: object = {}) {
  const created = await send("POST", PROGRAMS, {
    token: owner.session,
    body: { name: unique("Program"), website_url: "https://shop.example", ...fields },
  })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  const { id: program_id, api_token } = created.body.data as { id: number; api_token: string }
  const program = { ...owner, program_id, api_token, path: `${PROGRAMS}/${program_id}` }
  return { ...program, ...(await newPartner(program)) }
}

/** A new partner of a program, with the code of its first link. */
export async function newPartner(program: { path: string; session: string }, fields: object = {}) {
  const created = await send("POST", `${program.path}/partners`, {
    token: program.session,
    body: { email: `${unique("partner")}@example.com`, name: "Partner", ...fields },
  })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  const { partner_id, links } = created.body.data as {
    partner_id: number
    links: [{ id: number; code: string }]
  }
  return { partner_id, code: links[0].code, link_id: links[0].id }
}

/** A user who owns a new workspace, signed in. */
export async function newOwner() {
  const email = `${unique("owner")}@example.com`
  const password = "correct horse battery"
  const reply = await send("POST", "/api/auth/sign-up", {
    body: { email, password, name: "Owner" },
  })
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  const { token, workspace, user } = reply.body.data as {
    token: string
    workspace: { id: number }
    user: { id: number }
  }
  return { session: token, workspace_id: workspace.id, user_id: user.id, email, password }
}

export type Owner = Awaited<ReturnType<typeof newOwner>>
export type TestProgram = Awaited<ReturnType<typeof newProgram>>

/** Clicks the partner's link as a new customer. Returns the click_id. */
export async function newClick(program: { code: string }, fields: object = {}): Promise<string> {
  const clicked = await send("POST", "/api/v1/track/click", {
    body: { affiliate_url: `https://shop.example/?aff=${program.code}`, ...fields },
  })
  if (clicked.status !== 200) throw new Error(JSON.stringify(clicked.body))
  return (clicked.body as { click_id: string }).click_id
}
