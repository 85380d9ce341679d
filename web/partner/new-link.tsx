import { useAddress } from "../address"
import { useStep } from "../answers"
import { announce } from "../frame/toasts"
import { Dialog } from "../parts/dialog"
import { Field } from "../parts/field"
import { Form } from "../parts/form"
import { words } from "../words/en/partner-links"
import { usePlace } from "./place"

/** Makes a link. `site`: where it may lead to; null: the program has no website yet. */
export function NewLink({ site, onClose }: { site: string | null; onClose(): void }) {
  const { programId } = usePlace()
  const { change } = useAddress()
  const create = useStep("createOwnLink", {
    onDone: ({ data: { code } }) => {
      announce(words.created(code))
      change({ new: null, code })
    },
  })
  const submit = ({ code, destination_url }: Record<string, string>) =>
    create.take({
      body: {
        program_id: programId,
        ...(code && { code }),
        ...(destination_url && { destination_url }),
      },
    })
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form
        action={words.createAction}
        error={create.error}
        isBusy={create.isBusy}
        onSubmit={submit}
      >
        <Field
          name="code"
          label={words.code}
          hint={words.codeHint}
          pattern="[A-Za-z0-9_\-]{3,64}"
          isOptional
        />
        {site && (
          <Field
            name="destination_url"
            label={words.destination}
            hint={words.destinationHint(new URL(site).host)}
            type="url"
            placeholder={site}
            isOptional
          />
        )}
      </Form>
    </Dialog>
  )
}
