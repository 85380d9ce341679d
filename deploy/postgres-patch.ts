import { plugin } from "bun"

/** Source text of postgres.js, and its replacement. */
const PATCHES: [original: string, replacement: string][] = [
  [
    "if (q.cancelled)\n      return\n",
    `
    if (!socket) {
      queryError(q, Errors.connection('CONNECTION_CLOSED', options))
      return true
    }
    if (q.cancelled)
      return
`,
  ],
  [
    "clearImmediate(nextWriteTimer)\n    socket",
    "clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket",
  ],
  [
    "!hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))",
    `
    if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = errorResponse = null
    rows = 0`,
  ],
  [
    "query = results = errorResponse = null",
    "query = results = errorResponse = null\n    rows = 0",
  ],
]

/**
 * Fixes how postgres.js 3.4.9 handles a connection that was cut (porsager/postgres #1154, #1181,
 * #1208, similar to #1142). Without the patch:
 * - it writes to the closed socket, which ends the process;
 * - it believes that a write is still scheduled, and never writes again;
 * - a query between the error and the end of the connection never settles, and neither do later
 *   ones: a pool of one hangs forever;
 * - a result that was cut off or ended in an error leaves as many empty rows in the next result.
 * With it, such a query is rejected and the next one works. Remove it when a release has the fixes.
 */
plugin({
  name: "postgres.js survives a cut connection",
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/postgres\/src\/connection\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      if (!PATCHES.every(([original]) => source.includes(original))) {
        throw new Error(`${path} has changed. Check whether the patch is still needed.`)
      }
      const contents = PATCHES.reduce(
        (text, [original, replacement]) => text.replace(original, () => replacement),
        source,
      )
      return { contents, loader: "js" }
    })
  },
})
