import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import type { Answer } from "../client"
import { Choice, Filters } from "../parts/filters"
import { MailChoices } from "../parts/mail-choices"
import { Empty, Loaded, Trouble } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { When } from "../parts/when"
import { words } from "../words/en/partner-notifications"
import { PartnerScreen } from "./partner-screen"
import { useIsPartner } from "./place"

type Notification = Answer<"listPartnerNotifications">["data"][number]

const columnsOf = (names: Map<number, string>): Column<Notification>[] => [
  { name: "message", head: words.message, cell: ({ message }) => <bdi>{message}</bdi> },
  {
    name: "program",
    head: words.program,
    cell: ({ program_id }) =>
      program_id && (
        <a href={`/partner/programs/${program_id}`}>{names.get(program_id) ?? program_id}</a>
      ),
  },
  { name: "at", head: words.at, cell: ({ created_at }) => <When time={created_at} /> },
  {
    name: "state",
    head: words.status,
    cell: ({ read_at }) => (
      <Status
        tone={read_at === null ? "warn" : "plain"}
        text={read_at === null ? words.isUnread : words.isRead}
      />
    ),
  },
]

/** What a partner was notified of, in all programs. Marks up to the newest that is shown. */
export default function Notifications() {
  const { query } = useAddress()
  const isEnabled = useIsPartner()
  const notifications = useAnswer(
    "listPartnerNotifications",
    { query: { unread: query.unread, page: query.page, pageSize: 50 } },
    { isEnabled },
  )
  const programs = useAnswer("listPartnerPrograms", { query: { pageSize: 100 } }, { isEnabled })
  const names = new Map(programs.data?.data.map(({ id, name }) => [id, name]))
  const mark = useStep("markAllPartnerNotificationsRead", { isRepeatable: true })
  const rows = notifications.data?.data ?? []
  const newest = rows.find(({ read_at }) => read_at === null)
  return (
    <PartnerScreen
      name="partner/notifications"
      actions={
        newest && (
          <button
            type="button"
            disabled={mark.isBusy}
            onClick={() => mark.take({ body: { through_id: newest.id } })}
          >
            {words.markAll}
          </button>
        )
      }
    >
      <Filters>
        <Choice name="unread" label={words.show} options={[["true", words.unread]]} />
      </Filters>
      <Trouble error={mark.error} isWrite />
      <Loaded from={notifications}>
        {rows.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyText}</p>
          </Empty>
        ) : (
          <Table
            caption={words.caption}
            columns={columnsOf(names)}
            rows={rows}
            isStale={notifications.isPlaceholderData}
          />
        )}
        {notifications.data && <Pages meta={notifications.data.meta} />}
      </Loaded>
      <MailChoices kinds={["sale", "rejection", "refund", "payment"]} />
    </PartnerScreen>
  )
}
