import postgres from "postgres"
import type { DataDir } from "../data-dir"
import { postTo } from "./post"
import { type Account, type Demo, storeDemo } from "./prepare-demo"
import { type History, writeHistory } from "./write-history"

/**
 * Gives the demo program its history, and one of its partners an account. An earlier start may have
 * been interrupted anywhere: what it did is not done twice. Returns what was written, as a sentence.
 */
export async function fillDemo(dataDir: DataDir, demo: Demo, address: string) {
  const { partner, program_id } = demo
  if (!partner) throw new Error("This demo was created without history.")
  return withSuperuser(dataDir, async sql => {
    const history = await writeHistory(sql, program_id)
    const partner_id = await findPartner(sql, program_id, partner)
    await bindAccount(demo, partner, partner_id, address)
    storeDemo(dataDir, { ...demo, is_filled: true })
    return history ? sentenceOf(history) : "The demo program has its history."
  })
}

/** Whether the demo program is archived, which removes it from all lists. */
export const isRemoved = (dataDir: DataDir, { program_id }: Demo): Promise<boolean> =>
  withSuperuser(dataDir, async sql => {
    const [program] = await sql<[{ status: string }]>`
      select status
      from identity.programs
      where id = ${program_id}
    `
    return program.status === "archived"
  })

async function withSuperuser<Result>(
  dataDir: DataDir,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const { url } = JSON.parse(dataDir.read("postgres.json"))
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function findPartner(sql: postgres.Sql, program_id: number, { email }: Account) {
  const [partner] = await sql<[{ partner_id: number }]>`
    select partner_id::int
    from commissions.partner_programs
    where program_id = ${program_id}
      and email = ${email}
  `
  return partner.partner_id
}

/** A partner whose account exists already can sign in. */
async function bindAccount(
  { email, password, program_id }: Demo,
  partner: Account,
  partner_id: number,
  address: string,
) {
  const post = postTo(address)
  const isBound = await post("/api/auth/sign-in", "", partner).then(
    () => true,
    () => false,
  )
  if (isBound) return
  const { token: session } = await post("/api/auth/sign-in", "", { email, password })
  const partners = `/api/advertiser/affiliate-programs/${program_id}/partners`
  const { token } = await post(`${partners}/${partner_id}/invite`, session, {})
  await post("/api/auth/accept-invitation", "", { token, ...partner, name: "Ada Reed" })
}

const sentenceOf = ({ clicks, leads, sales }: History) =>
  `The demo program now has 90 days of history: ${clicks} clicks, ${leads} leads, ${sales} sales.`
