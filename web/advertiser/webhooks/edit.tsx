import { useState } from "preact/hooks"
import { useStep } from "../../answers"
import type { Input } from "../../client"
import { announce } from "../../frame/toasts"
import { Checks } from "../../parts/checks"
import { Dialog } from "../../parts/dialog"
import { Field, Select } from "../../parts/field"
import { Form } from "../../parts/form"
import { words } from "../../words/en/webhooks"
import type { Names, Webhook } from "./cells"
import { Secret } from "./secret"

type Fields = NonNullable<Input<"createWebhookEndpoint">["body"]>
type Editing = { workspace: number; names: Names; onClose(): void }

/** Creates a webhook, and shows its secret once. */
export function CreateWebhook({ workspace, names, onClose }: Editing) {
  const create = useStep("createWebhookEndpoint")
  const created = create.answer?.data
  if (created) return <Secret secret={created.secret} onClose={onClose} />
  return (
    <Dialog title={words.createTitle} onClose={onClose}>
      <WebhookForm
        action={words.submit}
        names={names}
        error={create.error}
        isBusy={create.isBusy}
        onSubmit={body => create.take({ workspace, body })}
      />
    </Dialog>
  )
}

/** Changes a webhook. Its secret stays as it is. */
export function EditWebhook({
  workspace,
  names,
  webhook,
  onClose,
}: Editing & { webhook: Webhook }) {
  const update = useStep("updateWebhookEndpoint", {
    isRepeatable: true,
    onDone: () => {
      announce(words.saved)
      onClose()
    },
  })
  return (
    <Dialog title={words.editTitle} onClose={onClose}>
      <WebhookForm
        action={words.save}
        names={names}
        webhook={webhook}
        error={update.error}
        isBusy={update.isBusy}
        onSubmit={body => update.take({ workspace, params: { id: webhook.id }, body })}
      />
    </Dialog>
  )
}

type FormProps = {
  action: string
  names: Names
  webhook?: Webhook
  error: Error | null
  isBusy: boolean
  onSubmit(fields: Fields): void
}

function WebhookForm({ names, webhook, onSubmit, ...form }: FormProps) {
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events ?? ["*"]))
  const [programs, setPrograms] = useState<ReadonlySet<string>>(
    new Set(webhook?.program_ids?.map(id => `${id}`)),
  )
  const submit = ({ url = "", description, payload }: Record<string, string>) =>
    onSubmit({
      url,
      description: description || null,
      payload: payload as Webhook["payload"],
      events: [...events] as Webhook["events"],
      program_ids: programs.size > 0 ? [...programs].map(Number) : null,
    })
  return (
    <Form {...form} onSubmit={submit}>
      <Field
        name="url"
        type="url"
        label={words.url}
        hint={words.urlHint}
        value={webhook?.url}
        maxLength={2_048}
      />
      <Field
        name="description"
        label={words.description}
        hint={words.descriptionHint}
        value={webhook?.description}
        maxLength={255}
        autoComplete="off"
        isOptional
      />
      <Checks
        legend={words.kinds}
        options={optionsWith(events)}
        chosen={events}
        onChange={chosen => setEvents(narrowed(events, chosen))}
      />
      <Checks
        legend={words.limited}
        hint={words.limitedHint}
        options={[...names].map(([id, name]) => [`${id}`, name])}
        chosen={programs}
        onChange={setPrograms}
      />
      <Select
        name="payload"
        label={words.payload}
        value={webhook?.payload}
        options={Object.entries(words.payloads)}
      />
    </Form>
  )
}

/** All kinds of events, with those that were chosen elsewhere and have no name here. */
function optionsWith(chosen: ReadonlySet<string>): [string, string][] {
  const known: [string, string][] = [["*", words.everything], ...Object.entries(words.types)]
  const others = [...chosen].filter(type => type !== "*" && !(type in words.types))
  return [...known, ...others.map((type): [string, string] => [type, type])]
}

/** Everything is either chosen alone, or not at all. */
function narrowed(before: ReadonlySet<string>, chosen: ReadonlySet<string>): ReadonlySet<string> {
  if (!chosen.has("*")) return chosen
  return before.has("*") ? chosen.difference(new Set(["*"])) : new Set(["*"])
}
