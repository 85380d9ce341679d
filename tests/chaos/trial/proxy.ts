import { connect, createServer, type Socket } from "node:net"

/** Starts a TCP proxy to a local port. Its connections can be cut and slowed down. */
export async function proxyTo(targetPort: number) {
  const sockets = new Set<Socket>()
  let delayMs = 0
  let port = 0

  const server = createServer(near => {
    const far = connect(targetPort, "127.0.0.1")
    forward(near, far)
    forward(far, near)
  })

  /** Forwards each chunk `delayMs` after it arrived, in order. */
  function forward(from: Socket, to: Socket) {
    let sent = Promise.resolve()
    sockets.add(from)
    from.setNoDelay(true)
    from.on("data", chunk => {
      const due = Date.now() + delayMs
      sent = sent.then(() => sleepUntil(due)).then(() => void to.write(chunk))
    })
    from.on("error", () => {}) // "close" follows
    from.on("close", () => {
      sockets.delete(from)
      sent.then(() => to.destroySoon())
    })
  }

  const open = () =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, "127.0.0.1", () => resolve())
    })
  await open()
  port = (server.address() as { port: number }).port

  return {
    port,

    /** Breaks every connection and refuses new ones until restored. */
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    restore: open,
    delay(ms: number) {
      delayMs = ms
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const sleepUntil = (time: number) => {
  const leftMs = time - Date.now()
  return leftMs > 0 ? Bun.sleep(leftMs) : undefined
}
