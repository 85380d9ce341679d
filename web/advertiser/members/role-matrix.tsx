import type { Action, Role } from "../../../services/identity/contract"
import { roles } from "../../constants"
import { type Column, Table } from "../../parts/table"
import { words } from "../../words/en/members"

type Row = { id: Action; deed: string }

const ROWS = Object.entries(words.deeds).map(([id, deed]) => ({ id, deed })) as Row[]

const COLUMNS: Column<Row>[] = [
  { name: "deed", head: words.deed, cell: ({ deed }) => deed },
  ...(Object.entries(words.roles) as [Role, string][]).map(([role, head]) => ({
    name: role,
    head,
    cell: ({ id }: Row) => (roles[id].includes(role) ? words.yes : words.no),
  })),
]

/** What each role may do, as the server itself decides it. */
export function RoleMatrix() {
  return (
    <section>
      <h2>{words.matrix}</h2>
      <Table caption={words.matrixCaption} isTitled columns={COLUMNS} rows={ROWS} />
    </section>
  )
}
