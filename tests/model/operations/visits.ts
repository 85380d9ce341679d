import type { Dimensions, Program } from "../state"
import type { World } from "../world"

type Agent = Omit<Dimensions, "referrer"> & { user_agent: string }

const AGENTS: Agent[] = [
  {
    user_agent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    device_type: "desktop",
    device_os: "Windows",
    browser_name: "Chrome",
  },
  {
    user_agent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    device_type: "mobile",
    device_os: "iOS",
    browser_name: "Safari",
  },
  {
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    device_type: "desktop",
    device_os: "Linux",
    browser_name: "Firefox",
  },
]

const REFERRERS = ["https://blog.example/review", "https://news.example/a?b=c", undefined]

/** Fields that only describe a click never cost the click: these count as absent. */
const MALFORMED = [
  { page_title: 12 },
  { screen_resolution: "big" },
  { viewport_size: [1, 2] },
  { language: "x".repeat(300) },
  { timezone: {} },
  { additional_data: "none" },
  { additional_data: { program_id: "this one" } },
]

/** A click's fields about the visitor, and what is stored of them. */
export function randomVisit({ random, serial }: Program) {
  const { user_agent, ...device } = random.pick(AGENTS)
  const referrer_url = random.pick(REFERRERS)
  const page_url = random.happens(0.8) ? `https://shop.example/${random.below(50)}` : undefined
  const session_id = random.happens(0.8) ? `tab ${serial}-${random.below(9)}` : undefined
  const malformed = random.happens(0.1) ? random.pick(MALFORMED) : {}
  return {
    fields: { user_agent, referrer_url, page_url, session_id, language: "en-GB", ...malformed },
    stored: {
      ...device,
      referrer_url: referrer_url ?? null,
      referrer: referrer_url ? new URL(referrer_url).host : null,
      page_url: page_url ?? null,
      session_id: session_id ?? null,
    },
  }
}

/**
 * The click_id of a customer, most likely; seldom one of no customer, or of another program, unless nothing
 * else in the request says which program it is for.
 */
export function randomClickId(program: Program, world: World, hasProgram = true): string {
  const { random } = program
  const dice = random.fraction()
  if (dice < 0.01) return ""
  if (dice < 0.02) return `clk_${"0".repeat(26)}`
  if (dice < 0.04 && hasProgram) return foreignClickId(program, world) ?? "clk_none"
  return recent(program)?.click_id || "clk_none"
}

/** A customer, most likely one of the newest. */
export function recent({ random, customers }: Program) {
  if (customers.length === 0) return null
  const limit = random.happens(0.7) ? Math.min(customers.length, 25) : customers.length
  return customers[customers.length - 1 - random.below(limit)]!
}

/** Of a program that no longer changes, so that the same seed makes the same run. */
function foreignClickId(program: Program, { programs }: World): string | null {
  const foreign = programs.filter(other => other.isRetired && other !== program)
  if (foreign.length === 0) return null
  const { customers } = program.random.pick(foreign)
  return customers[0]?.click_id || null
}
