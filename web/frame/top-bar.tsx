import { useAnswer, useStep } from "../answers"
import { useMembership, useProgram, useSession } from "../session"
import { words } from "../words/en/frame"
import { chooseTheme, chosenTheme, type Theme } from "./theme"

const THEMES: Theme[] = ["system", "light", "dark"]

/** The product, the program or workspace one is in, and the account. */
export function TopBar() {
  return (
    <header class="top-bar">
      <a class="brand" href="/">
        Tributary
      </a>
      <ProgramSwitch />
      <AccountMenu />
    </header>
  )
}

/** Opens another program of the workspace. */
function ProgramSwitch() {
  const program = useProgram()
  const workspace = useMembership()?.workspace
  const programs = useAnswer(
    "listPrograms",
    { workspace: workspace?.id, query: { pageSize: 100 } },
    { isEnabled: workspace !== undefined },
  ).data?.data
  if (!workspace) return <span class="spread" />
  return (
    <>
      <button type="button" class="quiet spread" popovertarget="programs">
        <span class="where">{program?.name ?? workspace.name}</span>{" "}
        <span aria-hidden="true">▾</span>
      </button>
      <div id="programs" popover="auto" class="popover">
        <p class="quiet-text">{workspace.name}</p>
        <ul>
          {programs?.map(({ id, name }) => (
            <li key={id}>
              <a
                href={`/programs/${id}`}
                aria-current={id === program?.id ? "true" : undefined}
                onClick={hide}
              >
                {name}
              </a>
            </li>
          ))}
          <li>
            <a href={`/programs?workspace=${workspace.id}`} onClick={hide}>
              {words.allPrograms}
            </a>
          </li>
        </ul>
      </div>
    </>
  )
}

/** Theme, the way to the partner portal and back, and signing out. */
function AccountMenu() {
  const session = useSession()
  const signOut = useStep("signOut", { onDone: () => location.assign("/sign-in") })
  return (
    <>
      <button type="button" class="quiet" popovertarget="account">
        <span class="where">{session?.user.name}</span> <span aria-hidden="true">▾</span>
      </button>
      <div id="account" popover="auto" class="popover popover-end">
        <p class="quiet-text">{session?.user.email}</p>
        <ul>
          {session?.partner && (
            <li>
              <a href="/partner" onClick={hide}>
                {words.asPartner}
              </a>
            </li>
          )}
          {session && session.memberships.length > 0 && (
            <li>
              <a href="/programs" onClick={hide}>
                {words.asAdvertiser}
              </a>
            </li>
          )}
        </ul>
        <fieldset class="choices">
          <legend>{words.theme}</legend>
          {THEMES.map(theme => (
            <label key={theme}>
              <input
                type="radio"
                name="theme"
                defaultChecked={theme === chosenTheme()}
                onChange={() => chooseTheme(theme)}
              />
              {words.themes[theme]}
            </label>
          ))}
        </fieldset>
        <button type="button" class="plain" onClick={() => signOut.take({})}>
          {words.signOut}
        </button>
      </div>
    </>
  )
}

const hide = (event: Event) =>
  (event.currentTarget as Element).closest<HTMLElement>("[popover]")?.hidePopover()
