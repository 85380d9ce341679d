import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContext } from "playwright-core"
import type { Account } from "../../deploy/demo/prepare-demo"
import { SCREENS } from "../../web/screens"
import type { Area } from "../../web/screens/screen"
import { launchBrowser } from "../support/browser"
import { succeedingClient } from "../support/http"
import { type Look, newPage, ORIGIN, takePicture } from "./pictures"
import { fixedWorld } from "./world"

const FOLDER = join(import.meta.dir, "../../docs/guide/pictures")

const PLACE = { locale: "en-GB", timezoneId: "UTC" }
const LOOKS: Look[] = [
  { name: "light", colorScheme: "light", width: 1_280 },
  { name: "dark", colorScheme: "dark", width: 1_280 },
]
const LEADS_ON = ["account/home"] // shows nothing itself
const NARROW: Look = { name: "narrow", colorScheme: "light", width: 360 }
const NARROW_SCREENS = ["advertiser/overview", "partner/home"]

/** Writes a picture of every screen, light and dark, from a fixed world and clock. */
const world = await fixedWorld()
const browser = await launchBrowser([
  `--host-resolver-rules=MAP ${new URL(ORIGIN).host}:80 ${new URL(world.url).host}`,
  `--unsafely-treat-insecure-origin-as-secure=${ORIGIN}`, // as localhost is: for the clipboard
  "--force-color-profile=srgb",
])
try {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const { demo } = world
  await takeAll(await browser.newContext(PLACE), {
    "public/sign-in": "/sign-in",
    "public/sign-up": "/sign-up",
    "public/join": filled("/join/:slug"),
  })
  await takeAll(await signedIn(demo), pathsOf("program", "workspace", "account"))
  await takeAll(await signedIn(demo.partner!), pathsOf("partner"))
} finally {
  await browser.close()
  await world.stop()
}
process.exit(0)

/** Opens a browser context with a session. */
async function signedIn({ email, password }: Account): Promise<BrowserContext> {
  const body = { email, password }
  const { token } = await succeedingClient(world.url)("POST", "/api/auth/sign-in", { body })
  const context = await browser.newContext(PLACE)
  await context.addCookies([{ name: "session", value: token, url: ORIGIN, httpOnly: true }])
  return context
}

/** The addresses of the screens of these areas by name, about things that exist in the world. */
function pathsOf(...areas: Area[]): Record<string, string> {
  const screens = Object.entries(SCREENS).filter(
    ([name, { area }]) => areas.includes(area) && !LEADS_ON.includes(name),
  )
  return Object.fromEntries(
    screens.map(([name, { path }]) => [name, addressOf(name, filled(path))]),
  )
}

function addressOf(name: string, path: string): string {
  if (name === "advertiser/first-run") return `/programs/${world.shop_id}/first-run`
  if (name === "advertiser/partner-postback") {
    return path.replace(/\d+$/, world.ids.partner_postback)
  }
  if (name === "partner/postback") return `/partner/postbacks/${world.ids.own_postback}`
  return path
}

/** Fills in the parameters of a path. The segment before each says what it is an id of. */
function filled(path: string): string {
  return path.replace(/([\w-]+)\/:\w+/g, (parameter, noun: string) => {
    const id = (world.ids as Record<string, string>)[noun]
    if (id === undefined) throw new Error(`tests/screenshots/world.ts has no ${parameter}.`)
    return `${noun}/${encodeURIComponent(id)}`
  })
}

async function takeAll(context: BrowserContext, paths: Record<string, string>) {
  for (const [screen, path] of Object.entries(paths)) {
    const looks = NARROW_SCREENS.includes(screen) ? [...LOOKS, NARROW] : LOOKS
    for (const look of looks) {
      const page = await newPage(context, look)
      const file = `${screen.replaceAll("/", "-")}-${look.name}.webp`
      await takePicture(page, path, join(FOLDER, file))
      await page.close()
      console.log(file)
    }
  }
}
