import { QueryClientProvider } from "@tanstack/preact-query"
import { render } from "preact"
import { ErrorBoundary, LocationProvider, lazy, Route, Router } from "preact-iso"
import { cache } from "./answers"
import { Frame } from "./frame/frame"
import { applyTheme } from "./frame/theme"
import { NotFound, NotLoaded } from "./parts/states"
import { SCREENS } from "./screens"

const ONCE = "reloaded-for"

const screens = Object.values(SCREENS).map(({ path, load }) => ({
  path,
  screen: lazy(() => load().catch(reloadOnce)),
}))

/** A chunk that is gone means an update: the page is loaded again, but not forever. */
function reloadOnce(): Promise<{ default: typeof NotLoaded }> | { default: typeof NotLoaded } {
  if (sessionStorage.getItem(ONCE) === location.href) return { default: NotLoaded }
  sessionStorage.setItem(ONCE, location.href)
  location.reload()
  return new Promise(() => {})
}

applyTheme()
render(
  <QueryClientProvider client={cache}>
    <LocationProvider>
      <ErrorBoundary>
        <Frame>
          <Router onLoadEnd={() => sessionStorage.removeItem(ONCE)}>
            {screens.map(({ path, screen }) => (
              <Route key={path} path={path} component={screen} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </Frame>
      </ErrorBoundary>
    </LocationProvider>
  </QueryClientProvider>,
  document.getElementById("app")!,
)
