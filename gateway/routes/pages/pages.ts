import { Fault } from "../../../lib/fault"
import { POLICY, shellOf } from "../../../web/document"
import { SCREENS, type ScreenName } from "../../../web/screens"
import { titles } from "../../../web/words/en/titles"
import { anyone } from "../../http/access"
import { refuseUnstorableQuery } from "../../http/query"
import { type Route, route, Text } from "../../http/route"
import { type StaticFile, sendFile, staticFile } from "../../http/static-file"
import { bundleOf } from "./bundle"
import { forms } from "./forms"
import { join } from "./join"
import { unsubscribing } from "./unsubscribe"

const CHECKED_EACH_TIME = "no-cache"
const FOREVER = "public, max-age=31536000, immutable"

/** The pages of the dashboard and the partner portal, and the files that they load (behaviour 17.12). */
export function pages(routesOf: () => readonly Route[]) {
  const bundle = () => bundleOf(routesOf())
  return [
    ...forms(bundle),
    join(bundle),
    ...unsubscribing(bundle),
    ...Object.keys(SCREENS).map(name => shell(name as ScreenName, bundle)),
    file(bundle),
  ]
}

type BundleOf = () => ReturnType<typeof bundleOf>

/** A screen's page: the same bytes for everyone. What it shows comes from the API. */
function shell(name: ScreenName, bundle: BundleOf) {
  let made: Promise<StaticFile> | undefined
  const make = async () => staticFile("text/html", shellOf(await bundle(), name, titles[name]))
  return route(
    {
      id: `${name.replace(/\W(\w)/g, (_, letter) => letter.toUpperCase())}Page`,
      method: "GET",
      path: SCREENS[name].path,
      summary: `Get the page "${titles[name]}"`,
      description: "HTML that is the same for everyone: its script asks the API for what it shows.",
      access: anyone,
      texts: ["text/html"],
      answers: { 200: Text, 304: "The browser's copy is current (If-None-Match)." },
    },
    async input => {
      refuseUnstorableQuery(input.request) // first: a refusal must not carry the headers below
      made ??= make()
      const html = await made
      input.set.headers["content-security-policy"] = POLICY
      return sendFile(input, html, CHECKED_EACH_TIME)
    },
  )
}

/** A script or style of the pages. Its name changes with its content. */
function file(bundle: BundleOf) {
  const made = new Map<string, StaticFile>()
  return route(
    {
      id: "showPageFile",
      method: "GET",
      path: "/web/:file",
      summary: "Get a script or style of the pages",
      access: anyone,
      texts: ["text/javascript", "text/css"],
      answers: {
        200: Text,
        304: "The browser's copy is current (If-None-Match).",
        404: "There is no such file. After an update, reload the page.",
      },
    },
    async input => {
      refuseUnstorableQuery(input.request) // first: a refusal must not carry the headers below
      const name = input.params.file
      const found = (await bundle()).files.get(name)
      if (!found) throw new Fault("missing", "There is no such file. Reload the page.")
      const file = made.get(name) ?? staticFile(found.type, found.text)
      made.set(name, file)
      return sendFile(input, file, FOREVER)
    },
  )
}
