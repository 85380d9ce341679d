import { SCREENS } from "../../web/screens"
import type { Screen } from "../../web/screens/screen"
import { newContext, newSlowPage, type Record, recordOf, type Site, shown } from "./site"

/** Chromium's "Slow 4G": 1.6 Mbit/s down, 0.75 up, 150 ms there and back. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const PATHS = ["/programs/:id", "/programs/:id/events", "/programs/:id/commissions"]

export type Views = { path: string; cold: Record[]; warm: Record[]; slow4G: Record[] }

/** Opens the screens with most data, with an empty cache, a full one, and over a slow network. */
export async function measureViews(site: Site, repetitions: number): Promise<Views[]> {
  const known = (Object.values(SCREENS) as Screen[]).map(({ path }) => path)
  const views: Views[] = []
  for (const path of PATHS.filter(path => known.includes(path))) {
    const view: Views = { path, cold: [], warm: [], slow4G: [] }
    for (let i = 0; i < repetitions; i++) {
      const [cold, warm] = await viewTwice(site, path)
      view.cold.push(cold)
      view.warm.push(warm)
      view.slow4G.push((await viewTwice(site, path, SLOW_4G))[0])
    }
    views.push(view)
  }
  return views
}

/** Opens a screen in a new context, and again in the same. */
async function viewTwice(
  site: Site,
  path: string,
  network?: typeof SLOW_4G,
): Promise<[first: Record, second: Record]> {
  const context = await newContext(site)
  try {
    const view = async () => {
      const [page, devtools] = await newSlowPage(context)
      if (network) await devtools.send("Network.emulateNetworkConditions", network)
      await page.goto(`${site.url}${path.replace(":id", `${site.program_id}`)}`)
      await shown(page)
      const record = await recordOf(page)
      await page.close()
      return record
    }
    return [await view(), await view()]
  } finally {
    await context.close()
  }
}
