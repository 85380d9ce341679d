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
  "webhook:manage",
]

/** A caller and its credential. Keys have `scopes` and `program`, sessions have a `role`. */
export type Caller = {
  name: string
  token?: string
  kind: "anonymous" | "program" | "key" | "session"
  scopes?: string[]
  program?: number // the only program the key may use
  role?: string
}

/** Every kind of caller, to try on the workspace of program A. B belongs to another workspace. */
export async function newCallers(a: TestProgram, b: TestProgram): Promise<Caller[]> {
  const anonymous = (name: string, token?: string): Caller => ({ name, token, kind: "anonymous" })
  const programToken = (name: string, token: string): Caller => ({ name, token, kind: "program" })
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
    anonymous("no credential"),
    anonymous("junk", "junk"),
    programToken("aff_ of A", a.api_token),
    programToken("aff_ of B", b.api_token),
    anonymous("affk_ revoked", (await newRevokedKey(a)).key),
    anonymous("affk_ expired", (await newExpiredKey(a)).key),
    await key("affk_ full", ["*"]),
    await key("affk_ full, for A only", ["*"], a.program_id),
    await key("affk_ without scopes", []),
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
