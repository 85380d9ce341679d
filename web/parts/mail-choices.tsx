import { useAnswer, useStep } from "../answers"
import type { Input } from "../client"
import { announce } from "../frame/toasts"
import { words } from "../words/en/mail-choices"
import { Select } from "./field"
import { Form } from "./form"
import { Loaded } from "./states"

type Kind = keyof typeof words.kinds
type Choices = Input<"updateNotificationSettings">["body"]

/** Which notifications of these kinds a person gets by mail, and how often. */
export function MailChoices({ kinds }: { kinds: Kind[] }) {
  const settings = useAnswer("showNotificationSettings")
  const update = useStep("updateNotificationSettings", {
    isRepeatable: true,
    onDone: () => announce(words.saved),
  })
  const chosen = settings.data?.data
  const options = Object.entries(words.frequencies)
  return (
    <section class="card">
      <h2>{words.title}</h2>
      <p class="quiet-text">{words.explanation}</p>
      <Loaded from={settings}>
        {chosen && (
          <Form
            action={words.save}
            error={update.error}
            isBusy={update.isBusy}
            onSubmit={fields => update.take({ body: fields as Choices })}
          >
            {kinds.map(kind => (
              <Select
                key={kind}
                name={kind}
                label={words.kinds[kind]}
                value={chosen[kind]}
                options={options}
              />
            ))}
          </Form>
        )}
      </Loaded>
    </section>
  )
}
