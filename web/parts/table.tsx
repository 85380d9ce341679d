import type { ComponentChildren } from "preact"
import { useAddress } from "../address"
import { words } from "../words/en/table"
import { countText } from "./money"

export type Column<Row> = {
  name: string
  head: string
  cell(row: Row): ComponentChildren
  /** Numbers stand on the right. */
  isNumber?: true
  /** The value of `sort` in the address, if the list can be sorted by this column. */
  sort?: string
}

export type Selection = {
  ids: ReadonlySet<number>
  toggle(id: number): void
  setAll(ids: number[]): void
  /** How a row is called in its checkbox: "Select Ada's blog". */
  labelOf(id: number): string
}

/**
 * A list as a table; at 320 px its rows become cards. The first column names the row. `isStale`
 * dims rows that are being replaced.
 */
export function Table<Row extends { id: number | string }>({
  caption,
  isTitled = false,
  columns,
  rows,
  isStale = false,
  selection,
  current,
}: {
  caption: string
  /** A heading says already what the table lists: the caption is only read out. */
  isTitled?: boolean
  columns: Column<Row>[]
  rows: Row[]
  isStale?: boolean
  selection?: Selection
  /** The id of the row that the keyboard is at. */
  current?: number | string
}) {
  return (
    <div class="table-box">
      <table aria-busy={isStale} class={selection ? "selectable" : undefined}>
        <caption>
          <span class={isTitled ? "visually-hidden" : undefined}>{caption}</span>
        </caption>
        <thead>
          <tr>
            {selection && (
              <td class="select">
                <input
                  type="checkbox"
                  aria-label={words.selectAll}
                  checked={
                    rows.length > 0 && rows.every(({ id }) => selection.ids.has(id as number))
                  }
                  onChange={({ currentTarget }) =>
                    selection.setAll(
                      currentTarget.checked ? rows.map(({ id }) => id as number) : [],
                    )
                  }
                />
              </td>
            )}
            {columns.map(column => (
              <Head key={column.name} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.id} data-current={row.id === current ? true : undefined}>
              {selection && (
                <td class="select">
                  <input
                    type="checkbox"
                    aria-label={selection.labelOf(row.id as number)}
                    checked={selection.ids.has(row.id as number)}
                    onChange={() => selection.toggle(row.id as number)}
                  />
                </td>
              )}
              {columns.map((column, i) => (
                <Cell key={column.name} column={column} row={row} isFirst={i === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head<Row>({ column: { head, isNumber, sort } }: { column: Column<Row> }) {
  const { query, hrefWith } = useAddress()
  const isUp = query.sort === sort
  const isDown = query.sort === `-${sort}`
  const order = sort && (isUp ? "ascending" : isDown ? "descending" : "none")
  return (
    <th scope="col" class={isNumber && "number"} aria-sort={order || undefined}>
      {sort ? (
        <a href={hrefWith({ sort: isDown ? sort : `-${sort}` })}>
          {head} <span aria-hidden="true">{isUp ? "↑" : isDown ? "↓" : ""}</span>
        </a>
      ) : (
        head
      )}
    </th>
  )
}

function Cell<Row>({ column, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }) {
  const { head, isNumber, cell } = column
  if (isFirst) return <th scope="row">{cell(row)}</th>
  return (
    <td class={isNumber && "number"} data-head={head}>
      {cell(row)}
    </td>
  )
}

/** The pages of a list, as addresses. */
export function Pages({
  meta,
}: {
  meta: { pagination: { page: number; pageSize: number; total: number } }
}) {
  const { hrefWith } = useAddress()
  const { page, pageSize, total } = meta.pagination
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (total === 0) return null
  const [from, to] = [(page - 1) * pageSize + 1, Math.min(page * pageSize, total)]
  return (
    <nav class="pages" aria-label={words.pages}>
      <span>{words.range(countText(from), countText(to), countText(total))}</span>
      {page > 1 && <a href={hrefWith({ page: page === 2 ? null : page - 1 })}>{words.previous}</a>}
      {page < last && <a href={hrefWith({ page: page + 1 })}>{words.next}</a>}
    </nav>
  )
}
