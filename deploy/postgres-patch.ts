import { plugin } from "bun"

/** What is wrong, and what stands there instead. */
const MENDS: [fault: string, cure: string][] = [
  [
    "const x = socket.write(chunk, fn)",
    `
    if (!socket) {
      clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
    const x = socket.write(chunk, fn)`,
  ],
  [
    "clearImmediate(nextWriteTimer)\n    socket",
    "clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket",
  ],
  [
    "!hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))",
    `
    if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = errorResponse = null`,
  ],
]

/**
 * postgres.js 3.4.9 writes to a connection that was cut a moment before, which ends the process;
 * and one that was cut before it wrote what waits never writes again, since it takes that for
 * still to come (porsager/postgres #1154, #1208). What is asked between a connection's error and its
 * end is never answered, and stands in the way of what comes next on it: a pool of one hangs for
 * ever (akin to #1142). With this the query is refused, as it should be, and the next begins anew.
 * Goes when a release has the mends.
 */
plugin({
  name: "postgres.js outlives a cut connection",
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/postgres\/src\/connection\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      if (!MENDS.every(([fault]) => source.includes(fault))) {
        throw new Error(`${path} has changed: is the patch still due?`)
      }
      const contents = MENDS.reduce(
        (text, [fault, cure]) => text.replace(fault, () => cure),
        source,
      )
      return { contents, loader: "js" }
    })
  },
})
