import { connect, createServer, type Socket } from "node:net"

/** A TCP proxy on loopback, before a port of this machine, whose wires can be cut and slowed. */
export async function proxyTo(target_port: number) {
  const sockets = new Set<Socket>()
  let delay_ms = 0
  let port = 0

  const server = createServer(near => {
    const far = connect(target_port, "127.0.0.1")
    carry(near, far)
    carry(far, near)
  })

  /** Each chunk leaves `delay_ms` after it came, and none overtakes another. */
  function carry(from: Socket, to: Socket) {
    let sent = Promise.resolve()
    sockets.add(from)
    from.setNoDelay(true)
    from.on("data", chunk => {
      const due = Date.now() + delay_ms
      sent = sent.then(() => until(due)).then(() => void to.write(chunk))
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

    /** Breaks every connection and refuses new ones until mended. */
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    mend: open,
    delay(ms: number) {
      delay_ms = ms
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const until = (moment: number) => {
  const left_ms = moment - Date.now()
  return left_ms > 0 ? Bun.sleep(left_ms) : undefined
}
