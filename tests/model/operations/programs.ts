import type { Request, Send } from "../client"
import { managed, readAs } from "../compare/pages"
import { learnedText, text } from "../match"
import { newMoment } from "../moment"
import type { Program } from "../state"
import { programView } from "../views"
import { management } from "./management"
import type { Operation } from "./operation"

const error = { error: text() }
const LATE_MS = 1_000 // a request whose answer was lost may still be under way
const CURRENCIES = ["USD", "EUR", "JPY", "KWD"]

export function changeProgram(program: Program): Operation {
  const { random } = program
  const change = random.pick<Partial<Program>>([
    { cookie_window_days: random.pick([1, 2, 7, 30]) },
    { attribution_model: random.pick(["last_click", "first_click"]) },
    { lead_auth: random.happens(0.7) ? "browser" : "server" },
    { currency: random.pick(CURRENCIES) },
    { status: random.happens(0.3) ? "paused" : "active" },
    { status: "active" },
    { name: `Program ${++program.serial}` },
  ])
  const request = {
    ...management(program, "PUT", "", change),
    kind: "change program",
    about: ["program"],
    at: newMoment(),
  }
  const isFixed =
    program.sales.length > 0 && (change.currency ?? program.currency) !== program.currency
  if (program.status === "archived" || isFixed) return { ...request, status: 409, expected: error }
  const changed = { ...program, ...change }
  return {
    ...request,
    status: 200,
    expected: { data: programView(changed) },
    apply: () => {
      Object.assign(program, change)
    },
  }
}

export function archive(program: Program): Operation {
  return {
    ...management(program, "DELETE", ""),
    kind: "archive",
    about: ["program"],
    at: newMoment(),
    status: 200,
    expected: { data: programView({ ...program, status: "archived" }) },
    apply: () => {
      program.status = "archived"
    },
  }
}

export function newToken(program: Program): Operation {
  const request = {
    ...management(program, "POST", "/regenerate-api-token"),
    kind: "new token",
    about: ["program"],
    at: newMoment(),
  }
  if (program.status === "archived") return { ...request, status: 409, expected: error }
  const made = { api_token: "", api_token_masked: "" }
  return {
    ...request,
    status: 200,
    expected: {
      data: {
        api_token: learnedText(made, "api_token", /^aff_\w{38}$/),
        api_token_masked: learnedText(made, "api_token_masked", /^aff_\w{8}\*{4}\w{4}$/),
      },
    },
    apply: () => {
      program.old_tokens.push(program.api_token)
      Object.assign(program, made)
    },
    applyRepeated: async send => {
      program.old_tokens.push(program.api_token)
      Object.assign(program, made, await ensureNewest(made, program, request, send))
    },
  }
}

type Token = Pick<Program, "api_token" | "api_token_masked">

/** The token of a request whose answer was lost may be newer than the answered one: asks again then. */
async function ensureNewest(made: Token, program: Program, request: Request, send: Send) {
  for (;;) {
    await Bun.sleep(LATE_MS)
    const { data } = await readAs(send, program.owner.session, managed(program, ""))
    if (data.api_token_masked === made.api_token_masked) return made
    const reply = await send(request)
    if (reply.status === 200) made = reply.body.data
  }
}
