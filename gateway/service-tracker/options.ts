export interface Options {
  api_base: string
  program_id: number | null
  lead_form: string | null // CSS selector
  customer_key_field: string | null // name, id or CSS selector of a field in that form
  global: string | null
  debug: boolean
}

/** What the site asked for: `data-*` attributes, else the query of the script's URL. */
export function readOptions(): Options {
  const script = ownScript()
  const url = new URL(script?.src || urlOnStack() || location.href)
  const option = (name: string) =>
    script?.getAttribute(`data-${name}`) ?? url.searchParams.get(name)

  return {
    api_base: (option("api-base") || url.origin).replace(/\/+$/, ""),
    program_id: Number(option("program-id")) || null,
    lead_form: option("lead-form"),
    customer_key_field: option("customer-key-field"),
    global: option("global"),
    debug: !/^(false|0|off|no)$/.test(option("debug") ?? "no"),
  }
}

/**
 * A module or an evaluated text has no currentScript. The type is checked because an element that
 * is named "currentScript" hides the real one, and its `src` would receive e-mail addresses.
 */
function ownScript() {
  const current = document.currentScript
  if (current instanceof HTMLScriptElement) return current

  const url = urlOnStack()
  return [...document.querySelectorAll("script")].find(script => url && script.src === url)
}

/** The place where this very line was loaded from, also for `import()`, which leaves no element. */
function urlOnStack() {
  return /(https?:.+?):\d+:\d+/.exec(String(new Error().stack))?.[1]
}
