import { useState } from "preact/hooks"
import { useStep } from "../../answers"
import { announce } from "../../frame/toasts"
import { Dialog } from "../../parts/dialog"
import { Field } from "../../parts/field"
import { Form } from "../../parts/form"
import { Trouble } from "../../parts/states"
import { words } from "../../words/en/webhooks"
import type { Webhook } from "./cells"
import { Secret } from "./secret"

const OVERLAP_HOURS = 24
const OVERLAP_HOURS_MAX = 168

type Of = { workspace: number; webhook: Webhook }

type Steps = Of & { onEdit(webhook: Webhook): void; onRemoved?(): void }

/** What can be done with a webhook. */
export function WebhookSteps({ workspace, webhook, onEdit, onRemoved }: Steps) {
  const { url, status } = webhook
  const [dialog, setDialog] = useState<"rotate" | "remove" | null>(null)
  const input = { workspace, params: { id: webhook.id } }
  const enable = useStep("enableWebhookEndpoint", {
    isRepeatable: true,
    onDone: () => announce(words.enabled),
  })
  const disable = useStep("disableWebhookEndpoint", {
    isRepeatable: true,
    onDone: () => announce(words.disabled),
  })
  const close = () => setDialog(null)
  return (
    <>
      <div class="actions">
        <Step name={words.edit} url={url} onClick={() => onEdit(webhook)} />
        {status === "enabled" ? (
          <Step name={words.disable} url={url} onClick={() => disable.take(input)} />
        ) : (
          <Step name={words.enable} url={url} onClick={() => enable.take(input)} />
        )}
        <Step name={words.rotate} url={url} onClick={() => setDialog("rotate")} />
        <Step name={words.remove} url={url} onClick={() => setDialog("remove")} />
      </div>
      <Trouble error={enable.error ?? disable.error} />
      {dialog === "rotate" && <Rotate workspace={workspace} webhook={webhook} onClose={close} />}
      {dialog === "remove" && (
        <Remove workspace={workspace} webhook={webhook} onClose={close} onRemoved={onRemoved} />
      )}
    </>
  )
}

const Step = ({ name, url, onClick }: { name: string; url: string; onClick(): void }) => (
  <button type="button" aria-label={words.of(name, url)} onClick={onClick}>
    {name}
  </button>
)

function Rotate({ workspace, webhook, onClose }: Of & { onClose(): void }) {
  const rotate = useStep("rotateWebhookSecret")
  const rotated = rotate.answer?.data
  if (rotated) return <Secret secret={rotated.secret} onClose={onClose} />
  return (
    <Dialog title={words.rotateTitle} onClose={onClose}>
      <p>{words.rotateText}</p>
      <Form
        action={words.rotateDeed}
        error={rotate.error}
        isBusy={rotate.isBusy}
        isDangerous
        onSubmit={({ overlap }) =>
          rotate.take({
            workspace,
            params: { id: webhook.id },
            body: { overlap_hours: Number(overlap) },
          })
        }
      >
        <Field
          name="overlap"
          type="number"
          label={words.overlap}
          hint={words.overlapHint}
          value={OVERLAP_HOURS}
          min={0}
          max={OVERLAP_HOURS_MAX}
        />
      </Form>
    </Dialog>
  )
}

type Removal = Of & { onClose(): void; onRemoved?(): void }

function Remove({ workspace, webhook: { id, url }, onClose, onRemoved }: Removal) {
  const remove = useStep("deleteWebhookEndpoint", {
    onDone: () => {
      announce(words.removed)
      onClose()
      onRemoved?.()
    },
  })
  return (
    <Dialog title={words.removeTitle} onClose={onClose}>
      <p>
        <bdi>{words.removeText(url)}</bdi>
      </p>
      <Form
        action={words.removeDeed}
        error={remove.error}
        isBusy={remove.isBusy}
        isDangerous
        onSubmit={() => remove.take({ workspace, params: { id } })}
      />
    </Dialog>
  )
}
