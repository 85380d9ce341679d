import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Screen } from "../parts/screen"
import { Loaded } from "../parts/states"
import { useProgram } from "../session"
import { words } from "../words/en/branding"
import { BrandingForm } from "./branding/branding-form"
import { TermsForm } from "./branding/terms-form"

/** How a program looks to its partners, and what they agree to. */
export default function Branding() {
  const { params } = useAddress()
  const path = { params: { id: Number(params.id) } }
  const program = useProgram()
  const branding = useAnswer("showBranding", path)
  const terms = useAnswer("showTerms", path)
  const isArchived = program?.status === "archived"
  return (
    <Screen name="advertiser/branding">
      {isArchived && <p class="quiet-text">{words.archived}</p>}
      <Loaded from={branding}>
        {branding.data && program && (
          <BrandingForm key={program.id} program={program} branding={branding.data.data} />
        )}
      </Loaded>
      <Loaded from={terms}>
        {terms.data && program && (
          <TermsForm key={program.id} program_id={program.id} terms={terms.data.data} />
        )}
      </Loaded>
    </Screen>
  )
}
