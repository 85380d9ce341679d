import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import { Field, Select } from "../parts/field"
import { Form } from "../parts/form"
import { Screen } from "../parts/screen"
import { useMembership, useSession } from "../session"
import { words } from "../words/en/new-program"
import { keepToken } from "./known-token"

const USUAL = "USD"
const RATE = /^\d{1,3}(?:[.,]\d{1,2})?$/

/** Name, site and rate of a new program; its first partner is the person themselves. */
export default function NewProgram() {
  const { go } = useAddress()
  const email = useSession()?.user.email
  const workspace = useMembership()?.workspace.id
  const currencies = useAnswer("listCurrencies").data?.data ?? []
  const [error, setError] = useState<Error | null>(null)
  const program = useStep("createProgram")
  const partner = useStep("createPartner")

  const create = async ({ name, website_url, rate, currency }: Record<string, string>) => {
    setError(null)
    const rate_bps = bpsOf(rate ?? "")
    if (rate_bps === null) return setError(new Error(words.rateWrong))
    const commission = { kind: "percent", rate_bps } as const
    try {
      const { data } = await program.takeAndWait({
        workspace,
        body: { name: name!, website_url: website_url!, currency, commission },
      })
      keepToken(data.id, data.api_token)
      const first = { name: words.yourLink, email: email! }
      await partner.takeAndWait({ params: { id: data.id }, body: first }).catch(() => {})
      go(`/programs/${data.id}/first-run`)
    } catch (error) {
      setError(error as Error)
    }
  }
  return (
    <Screen name="advertiser/new-program">
      <p>{words.intro}</p>
      <div class="card narrow">
        <Form
          action={words.create}
          error={error}
          isBusy={program.isBusy || partner.isBusy}
          onSubmit={create}
        >
          <Field name="name" label={words.name} hint={words.nameHint} maxLength={255} />
          <Field name="website_url" type="url" label={words.site} hint={words.siteHint} />
          <Field
            name="rate"
            label={words.rate}
            hint={words.rateHint}
            value="30"
            inputMode="decimal"
          />
          <Select
            name="currency"
            label={words.currency}
            hint={words.currencyHint}
            value={USUAL}
            options={currencies.map(({ code, name }) => [code, `${code} · ${name}`])}
          />
          <p class="quiet-text">{words.link}</p>
        </Form>
      </div>
    </Screen>
  )
}

/** Hundredths of a percent: "30" is 3000. Null: no such rate. */
function bpsOf(text: string): number | null {
  if (!RATE.test(text.trim())) return null
  const bps = Math.round(Number(text.replace(",", ".")) * 100)
  return bps <= 10_000 ? bps : null
}
