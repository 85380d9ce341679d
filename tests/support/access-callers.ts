import { newExpiredKey, newKey, newRevokedKey } from "./key"
import { newMemberOnly } from "./member"
import { newPartnerAccount } from "./partner-account"
import { newOwner, type TestProgram } from "./program"

const SCOPES = [
  "program:list",
  "program:read",
  "program:create",
  "program:update",
  "program:delete",
  "program:go_live",
  "program:regenerate-token",
  "dashboard:view",
]

/** Who may call with what. `scopes` and `program` are a key's, `role` is a session's. */
export type Caller = {
  name: string
  token?: string
  kind: "nobody" | "program" | "key" | "session"
  scopes?: string[]
  program?: number // the only one of the key
  role?: string
}

/** Everybody who may try the workspace of program A, while B is another workspace's. */
export async function newCallers(a: TestProgram, b: TestProgram): Promise<Caller[]> {
  const nobody = (name: string, token?: string): Caller => ({ name, token, kind: "nobody" })
  const of_program = (name: string, token: string): Caller => ({ name, token, kind: "program" })
  const session = (role: string, token: string): Caller => ({
    name: `session of ${role}`,
    token,
    kind: "session",
    role,
  })
  const key = async (name: string, scopes: string[], program?: number): Promise<Caller> => {
    const program_scope = program ? [program] : null
    const { key: token } = await newKey(a, { scopes, program_scope })
    return { name, token, kind: "key", scopes, program }
  }

  return [
    nobody("no credential"),
    nobody("junk", "junk"),
    of_program("aff_ of A", a.api_token),
    of_program("aff_ of B", b.api_token),
    nobody("affk_ revoked", (await newRevokedKey(a)).key),
    nobody("affk_ expired", (await newExpiredKey(a)).key),
    await key("affk_ full", ["*"]),
    await key("affk_ full, of A alone", ["*"], a.program_id),
    await key("affk_ without a scope", []),
    ...(await Promise.all(SCOPES.map(scope => key(`affk_ ${scope}`, [scope])))),
    session("owner", a.session),
    session("admin", await newMemberOnly(a, "admin")),
    session("analyst", await newMemberOnly(a, "analyst")),
    session("billing", await newMemberOnly(a, "billing")),
    session("suspended", await newMemberOnly(a, "owner", "suspended")),
    session("stranger", (await newOwner()).session),
    session("partner", await newPartnerAccount(a)),
  ]
}
