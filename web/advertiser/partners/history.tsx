import { useAnswer } from "../../answers"
import type { Answer } from "../../client"
import { Loaded } from "../../parts/states"
import { type Column, Table } from "../../parts/table"
import { When } from "../../parts/when"
import { useMembership, useProgramId } from "../../session"
import { words } from "../../words/en/one-partner"
import { words as listWords } from "../../words/en/partners"
import { useGroupNames } from "./group-names"
import type { Partner } from "./partner-status"

type Entry = Answer<"listAuditEntries">["data"][number]
type Details = { status?: Partner["status"]; group_id?: number; changed?: string[] }

/** The part of the audit log that is about a partner, newest first. */
export function PartnerHistory({ partner }: { partner: Partner }) {
  const program_id = useProgramId()!
  const workspace_id = useMembership()?.workspace.id ?? 0
  const groups = new Map(useGroupNames(program_id))
  const query = { program_id, subject_type: "partner", subject_id: partner.partner_id }
  const text = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, `${value}`]))
  const log = useAnswer("listAuditEntries", {
    params: { id: workspace_id },
    query: { ...text, pageSize: 20 },
  })

  const detailsOf = ({ action, details }: Entry) => {
    const { status, group_id, changed = [] } = (details ?? {}) as Details
    const parts = action === "partner.update" ? changed.map(name => words.fields[name] ?? name) : []
    if (action === "partner.update" && status) {
      parts.push(words.toStatus(listWords.statuses[status]))
    }
    if (action === "partner.update" && group_id) {
      parts.push(words.toGroup(groups.get(`${group_id}`) ?? `${group_id}`))
    }
    return parts.join(", ")
  }
  const columns: Column<Entry>[] = [
    { name: "at", head: words.when, cell: ({ at }) => <When time={at} /> },
    { name: "actor", head: words.who, cell: ({ actor }) => actor.name ?? words.system },
    {
      name: "what",
      head: words.what,
      cell: entry =>
        [words.actions[entry.action] ?? entry.action, detailsOf(entry)].filter(Boolean).join(": "),
    },
  ]
  const isOfPartner = ({ subject }: Entry) =>
    subject.type === "partner" && subject.id === partner.partner_id
  const rows = log.data?.data.filter(isOfPartner) ?? []
  return (
    <section>
      <h2>{words.history}</h2>
      <Loaded from={log}>
        {rows.length === 0 ? (
          <p>{words.historyNone}</p>
        ) : (
          <Table caption={words.historyCaption} isTitled columns={columns} rows={rows} />
        )}
      </Loaded>
      <a href={`/workspaces/${workspace_id}/audit-log?${new URLSearchParams(text)}`}>
        {words.historyMore}
      </a>
    </section>
  )
}
