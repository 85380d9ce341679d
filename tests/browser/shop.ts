import { afterAll } from "bun:test"
import { url as gateway, send } from "../support/world"

interface Page {
  tag?: string // attributes of the script's tag
  query?: string // options in the script's URL instead
  before?: string // HTML above the tag
  body?: string // HTML below it
  headers?: Record<string, string>
}

/** Starts an advertiser's site, with the pages that a test adds and a backend. */
export function openShop() {
  const pages = new Map<string, Page>()
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === "/checkout") return Response.json(await checkout(request))
      const page = pages.get(pathname)
      if (!page) return new Response("<title>Thank you</title>", { headers: HTML })
      return new Response(htmlOf(page), { headers: { ...HTML, ...page.headers } })
    },
  })
  afterAll(() => server.stop(true))

  /** Adds a page and returns its URL. */
  return (page: Page, host = "www.shop.test") => {
    const path = `/${crypto.randomUUID()}`
    pages.set(path, page)
    return `http://${host}:${server.port}${path}`
  }
}

/** The shop's backend knows only the cookie it received, and the program's token. */
async function checkout(request: Request) {
  const { token, ...sale } = (await request.json()) as { token: string }
  const click_id = new Bun.CookieMap(request.headers.get("cookie") ?? "").get("service_click_id")
  return send("POST", "/api/v1/track/sale", { token, body: { click_id, ...sale } })
}

/** The shop's own script comes last and marks the document once it has run. */
const htmlOf = ({ tag = "", query = "", before = "", body = "" }: Page) => `<!doctype html>
  <title>Shop</title>
  ${before}
  <script async src="${new URL(`/service-tracker.js${query}`, gateway)}" ${tag}></script>
  ${body}
  <script>document.documentElement.dataset.shop = "open"</script>
`

const HTML = { "content-type": "text/html; charset=utf-8" }
