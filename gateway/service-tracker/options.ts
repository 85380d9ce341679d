export interface Options {
  apiBase: string
  programId: number | null
  leadForm: string | null // CSS selector
  customerKeyField: string | null // name, id or CSS selector of a field in that form
  global: string | null
  debug: boolean
}

/**
 * Reads the options from the `data-*` attributes, Affitor's included (behaviour 8.8), else from the
 * query of the script's URL.
 */
export function readOptions(): Options {
  const script = ownScript()
  const url = new URL(script?.src || urlOnStack() || location.href)
  const option = (name: string) =>
    script?.getAttribute(`data-${name}`) ??
    script?.getAttribute(`data-affitor-${name}`) ??
    url.searchParams.get(name)

  return {
    apiBase: (option("api-base") || url.origin).replace(/\/+$/, ""),
    programId: Number(option("program-id")) || null,
    leadForm: option("lead-form"),
    customerKeyField: option("customer-key-field"),
    global: option("global"),
    debug: !/^(false|0|off|no)$/.test(option("debug") ?? "no"),
  }
}

/**
 * Finds the script element. Modules and evaluated code have no currentScript. The type is checked
 * because an element named "currentScript" hides the real one, and its `src` would receive e-mail
 * addresses.
 */
function ownScript() {
  const current = document.currentScript
  if (current instanceof HTMLScriptElement) return current

  const url = urlOnStack()
  return [...document.querySelectorAll("script")].find(script => url && script.src === url)
}

/** The URL that this line was loaded from. Works for `import()` too, which leaves no element. */
function urlOnStack() {
  return /(https?:.+?):\d+:\d+/.exec(String(new Error().stack))?.[1]
}
