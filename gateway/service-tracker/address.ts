/** The address with which the page was loaded, even if the application has changed it since. */
export function loadedAddress(): string {
  return performance.getEntriesByType("navigation")[0]?.name ?? location.href
}

/** Calls `changed` whenever a single-page application has moved to another address. */
export function onNavigation(changed: () => void) {
  if (window.navigation) {
    navigation.addEventListener("currententrychange", changed)
    return
  }
  addEventListener("popstate", changed)
  for (const name of ["pushState", "replaceState"] as const) {
    const original = history[name]
    history[name] = (...values) => {
      original.apply(history, values)
      changed()
    }
  }
}
