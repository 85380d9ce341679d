import type { TObject } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import { columnsOf, type Digest, type feedDigestOf, type Scope } from "../../lib/feeds/digest"
import type { Finding } from "../../lib/reconcile"
import * as commissions from "../../services/commissions/contract"
import * as reporting from "../../services/reporting/contract"
import * as tracking from "../../services/tracking/contract"
import { TIMEOUT_MS } from "./compare-owned-rows"

const READ_TRIES = 20
const TRY_AGAIN_AFTER_MS = 500
const ROWS_MAX = 10_000 // of one message
const IDS_MAX = 50

type CopiedFeed = {
  feed: string
  noun: string // of a row
  owner: ReturnType<typeof feedDigestOf>
  row: TObject
}

const FEEDS: CopiedFeed[] = [
  { feed: "clicks", noun: "Click", owner: tracking.digestFeed, row: tracking.ClickRow },
  { feed: "leads", noun: "Lead", owner: tracking.digestFeed, row: tracking.LeadRow },
  { feed: "sales", noun: "Sale", owner: tracking.digestFeed, row: tracking.SaleRow },
  { feed: "erasures", noun: "Customer", owner: tracking.digestFeed, row: tracking.ErasureRow },
  {
    feed: "dropped_clicks",
    noun: "Sum",
    owner: tracking.digestFeed,
    row: tracking.DroppedClicksRow,
  },
  {
    feed: "partners",
    noun: "Partner-program record",
    owner: commissions.digestFeed,
    row: commissions.PartnerRow,
  },
  {
    feed: "commissions",
    noun: "Commission",
    owner: commissions.digestFeed,
    row: commissions.CommissionRow,
  },
]

/** Compares each feed that reporting reads with its owner, row by row where they differ. */
export async function compareFeeds(): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const feed of FEEDS) findings.push(await compareFeed(feed))
  return findings
}

async function compareFeed(copied: CopiedFeed): Promise<Finding> {
  const { feed } = copied
  const invariant = `Reporting has the feed "${feed}" as its owner has it`
  const all = await digestBoth(copied, "all")
  if (!all) {
    const problem = "is behind and does not catch up. See the log of reporting."
    return { invariant, rows: 0, count: 1, violations: [{ row: `The feed "${feed}"`, problem }] }
  }
  const rows = all.copy.reduce((sum, digest) => sum + digest.rows, 0)
  const buckets = bucketsThatFit(differingKeys(all), all)
  if (buckets.length === 0) return { invariant, rows, count: 0, violations: [] }

  const inBuckets = await digestBoth(copied, { buckets })
  const ids = inBuckets ? differingKeys(inBuckets) : []
  const shown = await digestBoth(copied, { ids: ids.slice(0, IDS_MAX) })
  const violations = shown ? differingKeys(shown).map(id => violationOf(copied, shown, id)) : []
  return { invariant, rows, count: Math.max(ids.length, violations.length), violations }
}

type Both = { copy: Digest[]; owner: Digest[] }

/** Digests the copy, and the owner's rows as far as the copy has them. Null: it is always behind. */
async function digestBoth({ feed, owner }: CopiedFeed, scope: Scope): Promise<Both | null> {
  for (let tries = 1; tries <= READ_TRIES; tries++) {
    const { done, digests } = await call(reporting.digestCopy, { feed, scope }, TIMEOUT_MS)
    if (done !== null) {
      return { copy: digests, owner: await call(owner, { feed, scope, done }, TIMEOUT_MS) }
    }
    await Bun.sleep(TRY_AGAIN_AFTER_MS)
  }
  return null
}

/** The keys whose digests differ, in their order. */
function differingKeys({ copy, owner }: Both): number[] {
  const [copies, owners] = [copy, owner].map(digests => new Map(digests.map(textOf)))
  const keys = new Set([...copies!.keys(), ...owners!.keys()])
  return [...keys].filter(key => copies!.get(key) !== owners!.get(key)).sort((a, b) => a - b)
}

const textOf = ({ key, rows, hashes }: Digest) => [key, `${rows} ${hashes}`] as const

/** The first buckets, as many as have rows for one message. */
function bucketsThatFit(buckets: number[], { copy, owner }: Both): number[] {
  const rowsIn = new Map([...copy, ...owner].map(({ key, rows }) => [key, rows]))
  let rows = 0
  return buckets.filter((bucket, i) => {
    rows += rowsIn.get(bucket)!
    return i === 0 || rows <= ROWS_MAX
  })
}

function violationOf({ noun, row }: CopiedFeed, { copy, owner }: Both, id: number) {
  const [copied, owned] = [copy, owner].map(digests => digests.find(({ key }) => key === id))
  if (!copied) return { row: `${noun} ${id}`, problem: "is missing in reporting." }
  if (!owned)
    return { row: `${noun} ${id}`, problem: "is in reporting, but its owner has no such row." }

  const columns = columnsOf(row).filter((_, i) => copied.hashes[i] !== owned.hashes[i])
  const problem = `differs in reporting from its owner in ${columns.join(", ") || "number"}.`
  return { row: `${noun} ${id}`, problem }
}
