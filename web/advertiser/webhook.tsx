import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Screen } from "../parts/screen"
import { Loaded } from "../parts/states"
import { dateText } from "../parts/when"
import { words } from "../words/en/webhooks"
import { Events, type Names, ProgramsOf, Secret, State, type Webhook } from "./webhooks/cells"
import { EditWebhook } from "./webhooks/edit"
import { useProgramNames } from "./webhooks/program-names"
import { WebhookDeliveries, WebhookTest } from "./webhooks/sent"
import { WebhookSteps } from "./webhooks/steps"

/** A webhook: what it receives, a test of it, and all that was sent to it. */
export default function WebhookScreen() {
  const { params, go } = useAddress()
  const workspace = Number(params.id)
  const list = `/workspaces/${workspace}/webhooks`
  const shown = useAnswer("showWebhookEndpoint", {
    workspace,
    params: { id: params.webhookId ?? 0 },
  })
  const names = useProgramNames(workspace)
  const [isEditing, setEditing] = useState(false)
  const webhook = shown.data?.data
  return (
    <Screen name="advertiser/webhook" title={webhook && new URL(webhook.url).host}>
      <p>
        <a href={list}>{words.all}</a>
      </p>
      <Loaded from={shown}>
        {webhook && (
          <>
            <section class="card">
              <Facts webhook={webhook} names={names} />
              <WebhookSteps
                workspace={workspace}
                webhook={webhook}
                onEdit={() => setEditing(true)}
                onRemoved={() => go(list)}
              />
            </section>
            <WebhookTest workspace={workspace} webhook={webhook} />
            <WebhookDeliveries workspace={workspace} webhook={webhook} />
            {isEditing && (
              <EditWebhook
                workspace={workspace}
                names={names}
                webhook={webhook}
                onClose={() => setEditing(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </Screen>
  )
}

function Facts({ webhook, names }: { webhook: Webhook; names: Names }) {
  const { url, description, payload, created_at } = webhook
  return (
    <dl class="facts">
      {[
        [words.url, <bdi>{url}</bdi>],
        [words.status, <State of={webhook} />],
        [words.description, description && <bdi>{description}</bdi>],
        [words.events, <Events of={webhook.events} />],
        [words.programs, <ProgramsOf of={webhook} names={names} />],
        [words.payload, words.payloads[payload]],
        [words.secret, <Secret of={webhook} />],
        [words.created, dateText(created_at)],
      ].map(([name, value], i) => (
        <div key={i}>
          <dt>{name}</dt>
          <dd>{value || "–"}</dd>
        </div>
      ))}
    </dl>
  )
}
