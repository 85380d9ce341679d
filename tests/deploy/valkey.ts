import { mkdtemp, rm, symlink } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { randomText } from "../../deploy/data-dir"
import { freePort } from "../../deploy/port"

const POLL_MS = 20

/**
 * Runs the command of Valkey's container, with redis-server under its name. Returns whether it
 * requires the password, and whether a command line shows the password at any moment.
 */
export async function startedWith([shell, ...args]: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "tributary-valkey-"))
  await symlink(Bun.which("redis-server")!, join(folder, "valkey-server"))
  const [port, password] = [await freePort(), `s${randomText()}`]
  const listening = args.map(arg =>
    arg.replace("valkey-server -", `valkey-server - --bind 127.0.0.1 --port ${port}`),
  )
  const child = Bun.spawn([shell!, ...listening], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, REDISCLI_AUTH: password },
    stdio: ["ignore", "ignore", "ignore"],
  })
  let isShown = false
  while (!(await repliesOf(port)) && child.exitCode === null) {
    isShown ||= (await Bun.file(`/proc/${child.pid}/cmdline`).text()).includes(password)
    await Bun.sleep(POLL_MS)
  }
  const replies = [await repliesOf(port), await repliesOf(port, password)]

  child.kill()
  await child.exited
  await rm(folder, { recursive: true })
  return { isProtected: `${replies}` === "-NOAUTH +OK,+OK +PONG +OK", isShown }
}

/** Returns the first words of the replies to AUTH, if there is a password, and PING. */
async function repliesOf(port: number, password?: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" })
  const commands = [...(password ? [`AUTH ${password}`] : []), "PING", "QUIT"]
  socket.end(commands.map(command => `${command}\r\n`).join(""))
  try {
    const text = await Array.fromAsync(socket, chunk => `${chunk}`)
    return text
      .join("")
      .split("\r\n")
      .map(line => line.split(" ")[0])
      .join(" ")
      .trim()
  } catch {
    return "" // it does not listen yet
  }
}
