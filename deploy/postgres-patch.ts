import { plugin } from "bun"

const FAULT = "const x = socket.write(chunk, fn)"
const CURE = `
    if (!socket) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
    ${FAULT}`

/**
 * postgres.js 3.4.9 writes to a connection that was cut a moment before, which ends the process,
 * or leaves a connection that never writes again (porsager/postgres #1154, #1208). With this the
 * query is refused, as it should be. Goes when a release has the mend.
 */
plugin({
  name: "postgres.js writes to no closed connection",
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/postgres\/src\/connection\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      if (!source.includes(FAULT)) throw new Error(`${path} has changed: is the patch still due?`)
      return { contents: source.replace(FAULT, CURE), loader: "js" }
    })
  },
})
