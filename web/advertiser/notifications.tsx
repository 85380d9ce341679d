import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import type { Answer } from "../client"
import { announce } from "../frame/toasts"
import { Choice, Filters } from "../parts/filters"
import { MailChoices } from "../parts/mail-choices"
import { Screen } from "../parts/screen"
import { Empty, Loaded, Trouble } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { When } from "../parts/when"
import { useMay } from "../session"
import { words } from "../words/en/advertiser-notifications"

type Notification = Answer<"listAdvertiserNotifications">["data"][number]

const COLUMNS: Column<Notification>[] = [
  { name: "what", head: words.what, cell: ({ message }) => message },
  { name: "kind", head: words.kind, cell: ({ kind }) => words.kinds[kind] ?? kind },
  { name: "when", head: words.when, cell: ({ created_at }) => <When time={created_at} /> },
  {
    name: "status",
    head: words.status,
    cell: ({ read_at }) =>
      read_at ? (
        <Status tone="plain" text={words.read} />
      ) : (
        <Status tone="warn" text={words.unread} />
      ),
  },
]

/** What happened in a workspace. Marking takes in what stood here, not what came since. */
export default function Notifications() {
  const { params, query } = useAddress()
  const workspace = Number(params.id)
  const may = useMay()
  const notifications = useAnswer("listAdvertiserNotifications", {
    workspace,
    query: { unread: query.unread, page: query.page, pageSize: 50 },
  })
  const rows = notifications.data?.data ?? []
  const mark = useStep("markAllAdvertiserNotificationsRead", {
    isRepeatable: true,
    onDone: () => announce(words.marked),
  })
  const through_id = Math.max(0, ...rows.map(({ id }) => id))
  const hasNew = rows.some(({ read_at }) => read_at === null)
  return (
    <Screen
      name="advertiser/notifications"
      actions={
        may("commission:settle") &&
        hasNew && (
          <button
            type="button"
            disabled={mark.isBusy}
            onClick={() => mark.take({ workspace, body: { through_id } })}
          >
            {words.markAll}
          </button>
        )
      }
    >
      <Filters>
        <Choice
          name="unread"
          label={words.show}
          any={words.everything}
          options={[["true", words.onlyUnread]]}
        />
      </Filters>
      <Trouble error={mark.error} isWrite />
      <Loaded from={notifications}>
        {rows.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyText}</p>
          </Empty>
        ) : (
          <>
            <Table
              caption={words.caption}
              columns={COLUMNS}
              rows={rows}
              isStale={notifications.isPlaceholderData}
            />
            {notifications.data && <Pages meta={notifications.data.meta} />}
          </>
        )}
      </Loaded>
      <MailChoices kinds={["sale", "refund", "application", "failing_endpoint"]} />
    </Screen>
  )
}
