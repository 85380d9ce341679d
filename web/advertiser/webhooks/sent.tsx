import { useState } from "preact/hooks"
import { useAnswer, useStep } from "../../answers"
import type { Input } from "../../client"
import { Deliveries, useDeliveryQuery } from "../../deliveries/deliveries"
import type { TypeNames } from "../../deliveries/delivery"
import { DeliveryDialog, useDeliveryId } from "../../deliveries/delivery-dialog"
import { ReplayMany } from "../../deliveries/replay-many"
import { TestSend } from "../../deliveries/test-send"
import { announce } from "../../frame/toasts"
import { usePollInterval } from "../../poll"
import { words as sentWords } from "../../words/en/deliveries"
import { words } from "../../words/en/webhooks"
import type { Webhook } from "./cells"

type Of = { workspace: number; webhook: Webhook }

/** The names of all that a webhook is sent, tests included. */
const TYPES: TypeNames = { "endpoint.test": words.sample, ...words.types }

/** Sends a sample to a webhook. */
export function WebhookTest({ workspace, webhook }: Of) {
  const test = useStep("testWebhookEndpoint")
  const take = (type: string) => {
    const body = { type } as Input<"testWebhookEndpoint">["body"]
    test.take({ workspace, params: { id: webhook.id }, body })
  }
  return <TestSend types={TYPES} step={{ ...test, take }} />
}

/** What was sent to a webhook, which can be sent again. */
export function WebhookDeliveries({ workspace, webhook }: Of) {
  const params = { id: webhook.id }
  const query = useDeliveryQuery()
  const poll = { poll_ms: usePollInterval() }
  const deliveries = useAnswer("listWebhookDeliveries", { workspace, params, query }, poll)
  const delivery_id = useDeliveryId()
  const [isReplaying, setReplaying] = useState(false)
  return (
    <section class="stack">
      <h2>{sentWords.title}</h2>
      <div class="actions">
        <button type="button" onClick={() => setReplaying(true)}>
          {sentWords.replay}
        </button>
      </div>
      <Deliveries from={deliveries} types={TYPES} />
      {delivery_id && <OneDelivery workspace={workspace} webhook={webhook} id={delivery_id} />}
      {isReplaying && (
        <Replay workspace={workspace} webhook={webhook} onClose={() => setReplaying(false)} />
      )}
    </section>
  )
}

function OneDelivery({ workspace, webhook, id }: Of & { id: string }) {
  const input = { workspace, params: { id: webhook.id, deliveryId: id } }
  const shown = useAnswer("showWebhookDelivery", input, { poll_ms: usePollInterval() })
  const replay = useStep("replayWebhookDelivery", {
    onDone: ({ data }) => announce(sentWords.queued(data.queued)),
  })
  const step = { ...replay, take: () => replay.take(input) }
  return <DeliveryDialog from={shown} types={TYPES} replay={step} />
}

function Replay({ workspace, webhook, onClose }: Of & { onClose(): void }) {
  const replay = useStep("replayWebhookDeliveries", {
    onDone: ({ data }) => {
      announce(sentWords.queued(data.queued))
      onClose()
    },
  })
  const take = (body: object) =>
    replay.take({
      workspace,
      params: { id: webhook.id },
      body: body as Input<"replayWebhookDeliveries">["body"],
    })
  return <ReplayMany types={TYPES} step={{ ...replay, take }} onClose={onClose} />
}
