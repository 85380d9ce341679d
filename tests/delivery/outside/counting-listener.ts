import { createServer, type Server, type Socket } from "node:net"

/** Listens at an address, counts who connects, and does to each what `receive` says. */
export async function listen(
  receive: (socket: Socket) => void = () => {},
  { host = "127.0.0.1", port = 0 } = {},
) {
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer(socket => {
    connections++
    open.add(socket)
    socket.on("error", () => {}) // the other end may destroy it at any time
    socket.on("close", () => open.delete(socket))
    receive(socket)
    socket.resume() // else what is not read hides that the other end has gone
  })
  return {
    port: await portOf(server, host, port),
    connections: () => connections,
    /** Waits until those who connected are gone. Throws if some stay. */
    async becomesIdle() {
      for (let i = 0; i < 200 && open.size > 0; i++) await Bun.sleep(10)
      if (open.size > 0) throw new Error(`${open.size} sockets are still open.`)
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

async function portOf(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  return (server.address() as { port: number }).port
}
