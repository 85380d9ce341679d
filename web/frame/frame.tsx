import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Busy, Trouble } from "../parts/states"
import { words } from "../words/en/frame"
import { Banner } from "./banner"
import { DemoBanner } from "./demo-banner"
import { Menu } from "./menu"
import { Shortcuts } from "./shortcuts"
import { SignInDialog } from "./sign-in-dialog"
import { Toasts } from "./toasts"
import { TopBar } from "./top-bar"

/** What surrounds every screen: skip link, top bar, menu, banners and dialogs. */
export function Frame({ children }: { children: ComponentChildren }) {
  const session = useAnswer("showSession")
  const { path, query } = useAddress()
  const isSignedOut = (session.error as { status?: number } | null)?.status === 401 && !session.data

  useEffect(() => {
    if (isSignedOut) location.assign(`/sign-in?next=${encodeURIComponent(addressOf(path, query))}`)
  }, [isSignedOut])

  if (isSignedOut || (!session.data && !session.error)) return <Busy />
  if (!session.data) return <Trouble error={session.error} onRetry={session.refetch} />
  return (
    <>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <TopBar />
      <div class="columns">
        <Menu />
        <main id="main" tabIndex={-1}>
          <Banner />
          <DemoBanner />
          {children}
        </main>
      </div>
      <SignInDialog />
      <Shortcuts />
      <Toasts />
    </>
  )
}

function addressOf(path: string, query: Record<string, string>) {
  const search = new URLSearchParams(query)
  return search.size > 0 ? `${path}?${search}` : path
}
