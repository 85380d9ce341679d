import type { Answer } from "../client"
import { announce } from "../frame/toasts"
import { When } from "../parts/when"
import { words } from "../words/en/refused-call"
import { curlOf } from "./curl"

export type RefusedCall = Answer<"listTrackingCalls">["data"][number]

type Refusal = Pick<RefusedCall, "route" | "status" | "error">

export const routeText = ({ route }: RefusedCall): string => words.routes[route]

/** What was sent, by name, with the values that are kept. */
export function sentText({ fields }: RefusedCall): string {
  const sent = Object.entries(fields).map(([name, value]) =>
    value === null ? name : `${name} "${value}"`,
  )
  return sent.length === 0 ? words.sentNothing : words.sent(sent.join(", "))
}

/** What to do about a refusal. The sentence says what is wrong; this says where to mend it. */
export function fixOf({ route, status, error }: Refusal): string {
  const { fixes } = words
  if (status === 200) return fixes.inactive
  if (status === 401) return tokenFixOf(error ?? "")
  if (status === 404 && route === "refund") return fixes.transaction
  if (status === 409) return fixes.duplicate
  if (status === 415 || /\bJSON\b/.test(error ?? "")) return fixes.json
  if (status === 429) return fixes.quota
  if (status >= 500) return fixes.again
  if (/amount_cents/.test(error ?? "")) return fixes.amount
  if (/another customer_key/.test(error ?? "")) return fixes.otherKey
  if (/already converted/.test(error ?? "")) return fixes.converted
  if (/^No customer|click_id or a customer_key/.test(error ?? "")) return fixes.customer
  return fixes.other
}

/** A token that is missing, one that cannot be any, and one that no active program has. */
function tokenFixOf(error: string): string {
  if (/does not belong/.test(error)) return words.fixes.unknownToken
  return /is not a tracking token/.test(error) ? words.fixes.brokenToken : words.fixes.noToken
}

/** Refused calls, each with its sentence, what was sent, and the fix. */
export function RefusedCalls({ calls, programId }: { calls: RefusedCall[]; programId: number }) {
  const copy = async (call: RefusedCall) => {
    await navigator.clipboard.writeText(curlOf(call.route, sampleOf(call)))
    announce(words.copied)
  }
  return (
    <ul class="stack">
      {calls.map((call, i) => (
        <li key={`${call.at}${i}`} class="refused">
          <p>
            <strong>{routeText(call)}</strong> <When time={call.at} />
            <span class="quiet-text"> {words.status(call.status)}</span>
          </p>
          <p class="bad-text">{call.error}</p>
          <p>{fixOf(call)}</p>
          <p class="quiet-text">{sentText(call)}</p>
          <div class="actions">
            <button type="button" onClick={() => copy(call)}>
              {words.curl}
            </button>
            <a class="button" href={`/programs/${programId}/integration?send=${call.route}`}>
              {words.sendTest}
            </a>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The call again, with placeholders for values that are not kept. */
const sampleOf = ({ fields }: RefusedCall) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? "…"]))
