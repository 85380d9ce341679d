import { unavailable } from "../fault"

const CALLS_MAX = 64
const BYTES_MAX = 256 * 1024 // a longer message travels alone; NATS refuses 1 MiB

type Send = (subject: string, packet: string, withinMs: number) => Promise<string>
type Pending<Reply> = Omit<PromiseWithResolvers<Reply>, "promise"> & {
  message: string
  remainingMs: number
}

/**
 * Returns a function that sends the messages of one event loop turn as one packet per subject.
 * There is no timer: a single message leaves in the same turn. A packet is sent once and gets one
 * message back, with a reply for each call. Without it every call is rejected.
 */
export function packer<Reply>(send: Send) {
  const pending = new Map<string, Pending<Reply>[]>()

  const pack = (subject: string, message: string, remainingMs: number) =>
    new Promise<Reply>((resolve, reject) => {
      const call = { message, remainingMs, resolve, reject }
      const others = pending.get(subject)
      if (others) return others.push(call)
      pending.set(subject, [call])
      setImmediate(flush, subject)
    })

  function flush(subject: string) {
    const calls = pending.get(subject) as Pending<Reply>[]
    pending.delete(subject)
    for (const packet of packetsOf(calls)) void sendPacket(subject, packet)
  }

  /** Resolves or rejects every call of the packet. Never rejects itself. */
  async function sendPacket(subject: string, calls: Pending<Reply>[]) {
    try {
      const withinMs = Math.max(...calls.map(({ remainingMs }) => remainingMs))
      const messages = calls.map(({ message }) => message)
      const replies: Reply[] = JSON.parse(await send(subject, `[${messages.join()}]`, withinMs))
      if (!Array.isArray(replies)) throw unavailable() // from an older process without packets
      for (const [i, { resolve }] of calls.entries()) resolve(replies[i] as Reply)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  return pack
}

function packetsOf<Call extends { message: string }>(calls: Call[]): Call[][] {
  const packets: Call[][] = []
  let packet: Call[] = []
  let bytes = 0

  for (const call of calls) {
    const more = Buffer.byteLength(call.message) + 1
    if (packet.length === CALLS_MAX || (packet.length > 0 && bytes + more > BYTES_MAX)) {
      packets.push(packet)
      packet = []
      bytes = 0
    }
    packet.push(call)
    bytes += more
  }
  return [...packets, packet]
}
