import { useStep } from "../../answers"
import type { Answer } from "../../client"
import { announce } from "../../frame/toasts"
import { Field } from "../../parts/field"
import { Form } from "../../parts/form"
import { countText } from "../../parts/money"
import { dateText } from "../../parts/when"
import { words } from "../../words/en/branding"

/** The terms in force, and the next version of them. */
export function TermsForm({
  program_id,
  terms: { version, text, created_at },
}: {
  program_id: number
  terms: Answer<"showTerms">["data"]
}) {
  const update = useStep("updateTerms", {
    onDone: ({ data }) => announce(words.termsSaved(countText(data.version))),
  })
  return (
    <section class="card">
      <h2>{words.terms}</h2>
      <p class="quiet-text">
        {created_at
          ? words.termsVersion(countText(version), dateText(created_at))
          : words.termsNone}
      </p>
      <Form
        action={words.saveTerms}
        error={update.error}
        isBusy={update.isBusy}
        onSubmit={fields =>
          update.take({ params: { id: program_id }, body: { text: fields.text ?? "" } })
        }
      >
        <Field
          name="text"
          label={words.terms}
          hint={words.termsHint}
          value={text}
          rows={12}
          isOptional
        />
      </Form>
    </section>
  )
}
