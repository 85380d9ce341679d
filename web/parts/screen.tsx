import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { SCREENS, type ScreenName } from "../screens"
import type { Screen as Described } from "../screens/screen"
import { useMay } from "../session"
import { titles } from "../words/en/titles"
import { Allowed } from "./states"

/** At the first screen the focus stays at the start of the page, before the skip link. */
let hasArrived = false

/**
 * A screen with its heading. `title` replaces the one of words/en/titles.ts, for example by a
 * partner's name. `actions` stand beside the heading. After navigation the heading gets the focus.
 */
export function Screen({
  name,
  title = titles[name],
  actions,
  children,
}: {
  name: ScreenName
  title?: string
  actions?: ComponentChildren
  children: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { may }: Described = SCREENS[name]
  const isAllowed = useMay()
  useEffect(() => {
    document.title = `${title} · Tributary`
  }, [title])
  useEffect(() => {
    if (hasArrived) heading.current?.focus({ preventScroll: true })
    hasArrived = true
  }, [])
  return (
    <article class="screen">
      <header class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && (!may || isAllowed(may)) && <div class="actions">{actions}</div>}
      </header>
      {may ? <Allowed to={may}>{children}</Allowed> : children}
    </article>
  )
}
