import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { SCREENS, type ScreenName } from "../screens"
import type { Area, Screen } from "../screens/screen"
import { useMay, useMembership, useProgramId, useSession } from "../session"
import { words } from "../words/en/frame"
import { titles } from "../words/en/titles"

const screens = Object.entries(SCREENS) as [ScreenName, Screen][]

/** The navigation: the screens of the area that the person may see. */
export function Menu() {
  const current = useCurrent()
  const [isOpen, setOpen] = useState(false)
  const groups = useGroups()
  return (
    <nav class="menu" aria-label={words.menu} data-open={isOpen}>
      <button
        type="button"
        class="menu-button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words.menu}
      </button>
      <div class="menu-groups">
        {groups.map(({ area, links }) => (
          <section key={area} aria-label={words.areas[area]}>
            <h2>{words.areas[area]}</h2>
            <ul>
              {links.map(({ name, href }) => (
                <li key={name}>
                  <a
                    href={href}
                    aria-current={currentOf(name, current)}
                    onClick={() => setOpen(false)}
                  >
                    {titles[name]}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

/** The screen that is shown. Undefined: the address has none. */
function useCurrent() {
  const { path } = useAddress()
  return screens.find(([, screen]) => patternOf(screen.path).test(path))
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`)

/** "page": the entry leads here. "true": to the list that what is shown belongs to. */
const currentOf = (name: ScreenName, current: (typeof screens)[number] | undefined) =>
  current?.[0] === name ? "page" : current?.[1].under === name ? "true" : undefined

function useGroups() {
  const { path, query } = useAddress()
  const may = useMay()
  const program_id = useProgramId()
  const workspace_id = useMembership()?.workspace.id
  const partner = useSession()?.partner
  const isPartner = path.startsWith("/partner")
  const areas: Area[] = isPartner
    ? ["partner"]
    : program_id === null
      ? ["workspace"]
      : ["program", "workspace"]
  const partnerProgram = /^\/partner\/programs\/(\d+)/.exec(path)?.[1]
  const ids: Record<Area, string | undefined> = {
    program: program_id === null ? undefined : `${program_id}`,
    workspace: workspace_id === undefined ? undefined : `${workspace_id}`,
    partner: partnerProgram,
    account: undefined,
  }
  const asPartner = query.as_partner ? `?as_partner=${encodeURIComponent(query.as_partner)}` : ""

  if (isPartner && !partner && !asPartner) return []
  return areas.map(area => ({
    area,
    links: screens
      .filter(([, screen]) => screen.area === area && screen.inMenu)
      .filter(([, { may: action }]) => action === undefined || may(action))
      .filter(([, screen]) => !screen.path.includes(":") || ids[area] !== undefined)
      .filter(([, screen]) => !asPartner || screen.path.includes(":")) // the rest is the partner's own
      .map(([name, screen]) => ({
        name,
        href: screen.path.replace(/:\w+/, ids[area] ?? "") + (area === "partner" ? asPartner : ""),
      })),
  }))
}
