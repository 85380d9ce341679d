import { useState } from "preact/hooks"
import { useStep } from "../../answers"
import type { Answer } from "../../client"
import { announce } from "../../frame/toasts"
import { Field } from "../../parts/field"
import { Form } from "../../parts/form"
import { words } from "../../words/en/branding"
import type { Program } from "../program-settings"
import { LogoField } from "./logo-field"
import { Preview } from "./preview"

type Branding = Answer<"showBranding">["data"]

const ACCENT = "#0a5ea8" // of the pages themselves, where nothing was chosen
const LAST_COLOR = /#[0-9a-f]{6}(?=\.$)/ // a refusal ends with the nearest color that passes

/** Color, welcome and logo, with a preview of what is typed. */
export function BrandingForm({ program, branding }: { program: Program; branding: Branding }) {
  const [color, setColor] = useState(branding.color ?? ACCENT)
  const [welcome, setWelcome] = useState(branding.welcome ?? "")
  const [logo, setLogo] = useState<string | null | undefined>(undefined) // a data URL; undefined: as it is
  const update = useStep("updateBranding", {
    onDone: () => {
      setLogo(undefined)
      announce(words.saved)
    },
  })
  const [offered, setOffered] = useState("") // the field begins again with a color that was taken
  const take = (nearest: string) => {
    setColor(nearest)
    setOffered(nearest)
    update.reset()
  }
  const nearest = LAST_COLOR.exec(update.error?.message ?? "")?.[0]
  const save = () =>
    update.take({
      params: { id: program.id },
      body: {
        ...((branding.color !== null || color !== ACCENT) && { color }),
        welcome: welcome === "" ? null : welcome,
        ...(logo !== undefined && { logo: base64Of(logo) }),
      },
    })
  return (
    <section class="card">
      <h2>{words.look}</h2>
      <Form action={words.save} error={update.error} isBusy={update.isBusy} onSubmit={save}>
        <Field
          key={offered}
          name="color"
          type="color"
          label={words.color}
          hint={words.colorHint}
          value={color}
          onInput={({ currentTarget }) => setColor(currentTarget.value)}
        />
        {nearest && nearest !== color && (
          <div class="actions">
            <button type="button" onClick={() => take(nearest)}>
              {words.useNearest(nearest)}
            </button>
          </div>
        )}
        <Field
          name="welcome"
          label={words.welcome}
          hint={words.welcomeHint}
          value={branding.welcome}
          rows={4}
          isOptional
          onInput={({ currentTarget }) => setWelcome(currentTarget.value)}
        />
        <LogoField
          hasLogo={(logo === undefined ? branding.logo : logo) !== null}
          onChange={setLogo}
        />
      </Form>
      <Preview
        name={program.name}
        color={color}
        welcome={welcome}
        logo={logo === undefined ? branding.logo : logo}
      />
    </section>
  )
}

/** What stands behind the comma of a data URL. */
const base64Of = (logo: string | null) => (logo === null ? null : logo.slice(logo.indexOf(",") + 1))
