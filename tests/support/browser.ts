import { describe } from "bun:test"
import { type Browser, chromium } from "playwright-core"

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
const executablePath = NAMES.map(name => Bun.which(name)).find(Boolean) ?? undefined
if (!executablePath) console.warn("Install Chromium to run the tests in a browser.")

/** A suite that needs a real browser. Without one it is skipped, but in CI it fails. */
export const describeInBrowser = describe.skipIf(!executablePath && !process.env.CI)

export const launchBrowser = (more: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...ARGUMENTS, ...more], chromiumSandbox: false })

const ARGUMENTS = [
  "--host-resolver-rules=MAP *.test 127.0.0.1",
  "--disable-features=LocalNetworkAccessChecks", // shop and gateway are on this machine
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]
