import { useStep } from "../answers"
import type { Answer } from "../client"
import { Trouble } from "../parts/states"
import { dateText } from "../parts/when"
import { words } from "../words/en/partner-home"
import { usePlace } from "./place"

type Program = Answer<"showPartnerProgram">["data"]

/** The terms of a program, and what a partner accepts them with. */
export function Agreement({ terms }: { terms: NonNullable<Program["terms"]> }) {
  const { programId, asPartner } = usePlace()
  const accept = useStep("acceptTerms", { isRepeatable: true })
  const { version, text, accepted_version, accepted_at } = terms
  const isAccepted = accepted_version === version
  return (
    <details class="card" open={!isAccepted}>
      <summary>{words.agreement(version)}</summary>
      <p class="long-text">{text}</p>
      <Trouble error={accept.error} isWrite />
      {isAccepted && accepted_at ? (
        <p class="quiet-text">{words.accepted(dateText(accepted_at))}</p>
      ) : (
        <div class="actions">
          <button
            type="button"
            class="primary"
            disabled={asPartner !== null || accept.isBusy}
            onClick={() => accept.take({ params: { programId }, body: { version } })}
          >
            {words.accept}
          </button>
        </div>
      )}
    </details>
  )
}
