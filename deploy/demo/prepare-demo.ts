import { type DataDir, randomText } from "../data-dir"
import { DEFAULT_RATE_BPS, PORTAL_PARTNER, WINDOW_DAYS } from "./cast"
import { postTo } from "./post"

export type Account = { email: string; password: string }
type Due = Account & { partner: Account | null } // null: the demo has no history
export type Demo = Due & { program_id: number; api_token: string; link: string; is_filled: boolean }

const FILE = "demo.json"
const PROGRAM = {
  name: "Demo program",
  website_url: "https://shop.example.com",
  cookie_window_days: WINDOW_DAYS,
  commission: { kind: "percent", rate_bps: DEFAULT_RATE_BPS },
}

/**
 * Creates the demo in a new database: an account, a program and a partner's link, kept in
 * DATA_DIR/demo.json. `hasHistory`: fillDemo is to follow. Null: the database is older, and has no
 * demo.
 */
export async function prepareDemo(
  dataDir: DataDir,
  { isNew, hasHistory, address }: { isNew: boolean; hasHistory: boolean; address: string },
): Promise<Demo | null> {
  if (isNew) {
    const partner = hasHistory ? accountOf(PORTAL_PARTNER) : null
    storeDemo(dataDir, { ...accountOf("demo@example.com"), partner })
  }
  if (!dataDir.has(FILE)) return null

  const stored: Due | Demo = JSON.parse(dataDir.read(FILE))
  const demo = "link" in stored ? stored : await create(stored, address)
  storeDemo(dataDir, demo)
  return demo
}

export const storeDemo = (dataDir: DataDir, demo: Due | Demo) =>
  dataDir.write(FILE, `${JSON.stringify(demo)}\n`)

const accountOf = (email: string): Account => ({ email, password: randomText().slice(0, 16) })

/** Signs in if the account exists: an earlier start may have been interrupted. */
async function create({ email, password, partner }: Due, address: string): Promise<Demo> {
  const post = postTo(address)
  const { token } = await post("/api/auth/sign-up", "", { email, password, name: "Demo" }).catch(
    () => post("/api/auth/sign-in", "", { email, password }),
  )

  const programs = "/api/advertiser/affiliate-programs"
  const { id, api_token } = await post(programs, token, PROGRAM)
  await post(`${programs}/${id}/go-live`, token)

  const first = { email: "partner@example.com", name: "Demo partner" }
  const { links } = await post(`${programs}/${id}/partners`, token, first)
  const program = { program_id: id, api_token, link: links[0].url }
  return { email, password, partner, ...program, is_filled: false }
}
