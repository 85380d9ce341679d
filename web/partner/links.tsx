import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Copyable } from "../parts/copy"
import { Field, Select } from "../parts/field"
import { countText } from "../parts/money"
import { QrButton } from "../parts/qr"
import { Empty, Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { When } from "../parts/when"
import { words } from "../words/en/partner-links"
import { NewLink } from "./new-link"
import { ownAddress } from "./own-address"
import { PartnerScreen } from "./partner-screen"
import { useJoinedProgram, usePlace } from "./place"

type Link = Answer<"listOwnLinks">["data"][number]

const COLUMNS: Column<Link>[] = [
  { name: "code", head: words.name, cell: ({ code }) => code },
  {
    name: "url",
    head: words.target,
    cell: ({ url, code }) =>
      url === null ? (
        words.noSite
      ) : (
        <span class="copyable">
          <Copyable text={url} label={code} />
          <QrButton text={url} name={code} />
        </span>
      ),
  },
  {
    name: "clicks",
    head: words.clicks,
    isNumber: true,
    cell: ({ clicks }) => countText(clicks),
  },
  {
    name: "last",
    head: words.last,
    cell: ({ last_clicked }) => (last_clicked === null ? "–" : <When time={last_clicked} />),
  },
  {
    name: "state",
    head: words.status,
    cell: ({ status }) => (
      <Status
        tone={status === "active" ? "good" : "plain"}
        text={words.statuses[status as keyof typeof words.statuses]}
      />
    ),
  },
]

/** A builder of addresses for any page of the site, and the links of a partner. */
export default function Links() {
  const { query, change } = useAddress()
  const { of, asPartner } = usePlace()
  const program = useJoinedProgram()
  const links = useAnswer("listOwnLinks", { query: { ...of, page: query.page, pageSize: 50 } })
  const site = program.data?.data.website_url
  const rows = links.data?.data ?? []
  const create = (
    <button type="button" onClick={() => change({ new: "link" })}>
      {words.create}
    </button>
  )
  return (
    <PartnerScreen name="partner/links" actions={asPartner === null && create}>
      <Loaded from={links}>
        {site && <Builder site={site} links={rows.filter(({ status }) => status === "active")} />}
        {rows.length === 0 ? (
          <Empty title={words.empty}>{asPartner === null && create}</Empty>
        ) : (
          <Table
            caption={words.caption}
            isTitled
            columns={COLUMNS}
            rows={rows}
            isStale={links.isPlaceholderData}
          />
        )}
        {links.data && <Pages meta={links.data.meta} />}
      </Loaded>
      {query.new === "link" && asPartner === null && (
        <NewLink site={site ?? null} onClose={() => change({ new: null })} />
      )}
    </PartnerScreen>
  )
}

/** Everything that is typed stands in the address, so that reloading loses nothing. */
function Builder({ site, links }: { site: string; links: Link[] }) {
  const { query, change } = useAddress()
  const { host } = new URL(site)
  const link = links.find(({ code }) => code === query.code) ?? links[0]
  if (!link) return null
  const { to: page = link.destination_url ?? "", sub: subId = "" } = query
  const made = ownAddress(site, { page, code: link.code, subId })
  const put = (name: string) => (event: Event) =>
    change(
      { page: query.page, [name]: (event.currentTarget as HTMLInputElement).value },
      { replaces: true },
    )
  return (
    <section class="card" aria-label={words.builder}>
      <h2>{words.builder}</h2>
      <div class="fields">
        <Field
          name="page"
          label={words.page}
          hint={words.pageHint(host)}
          type="url"
          value={page}
          placeholder={site}
          isOptional
          onInput={put("to")}
        />
        {links.length > 1 && (
          <Select
            name="code"
            label={words.link}
            value={link.code}
            options={links.map(({ code }) => [code, code])}
            onChange={code => change({ page: query.page, code }, { replaces: true })}
          />
        )}
        <Field
          name="sub"
          label={words.subId}
          hint={words.subIdHint}
          value={subId}
          maxLength={255}
          isOptional
          onInput={put("sub")}
        />
      </div>
      <output aria-label={words.result}>
        {"trouble" in made ? (
          <p class="wrong">
            {made.trouble === "wrongHost" ? words.wrongHost(host) : words.noAddress}
          </p>
        ) : (
          <span class="copyable">
            <Copyable text={made.address} label={words.result} />
            <QrButton text={made.address} name={subId.trim() || link.code} />
          </span>
        )}
      </output>
    </section>
  )
}
