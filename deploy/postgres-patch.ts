import { plugin } from "bun"

/** What is wrong, and what stands there instead. */
const PATCHES: [fault: string, cure: string][] = [
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
 * What postgres.js 3.4.9 does with a connection that was cut, and does no more with this
 * (porsager/postgres #1154, #1181, #1208, and akin to #1142):
 * - it writes to it, which ends the process;
 * - what waited to be written then is taken for still to come, and nothing is ever written again;
 * - what is asked between its error and its end is never answered, nor what comes next: a pool of
 *   one hangs for ever;
 * - an answer that was cut off, or ended in an error, leaves as many holes in the next one.
 * Such a query is refused, as it should be, and the next begins anew. Goes when a release has the
 * mends.
 */
plugin({
  name: "postgres.js outlives a cut connection",
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/postgres\/src\/connection\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      if (!PATCHES.every(([fault]) => source.includes(fault))) {
        throw new Error(`${path} has changed: is the patch still due?`)
      }
      const contents = PATCHES.reduce(
        (text, [fault, cure]) => text.replace(fault, () => cure),
        source,
      )
      return { contents, loader: "js" }
    })
  },
})
