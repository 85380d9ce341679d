import { unanswered } from "../fault"

const CALLS_MAX = 64
const BYTES_MAX = 256 * 1024 // a longer message travels alone; NATS refuses 1 MiB

type Send = (subject: string, packet: string, within_ms: number) => Promise<string>
type Waiting<Answer> = Omit<PromiseWithResolvers<Answer>, "promise"> & {
  message: string
  left_ms: number
}

/**
 * Sends messages that wait in one turn of the event loop as one packet for each subject. No timer:
 * a message alone leaves in the same turn. The packet is sent once, and answered as one; each
 * message has an answer of its own. If no answer comes, that is so for each.
 */
export function packer<Answer>(send: Send) {
  const waiting = new Map<string, Waiting<Answer>[]>()

  const pack = (subject: string, message: string, left_ms: number) =>
    new Promise<Answer>((resolve, reject) => {
      const call = { message, left_ms, resolve, reject }
      const others = waiting.get(subject)
      if (others) return others.push(call)
      waiting.set(subject, [call])
      setImmediate(flush, subject)
    })

  function flush(subject: string) {
    const calls = waiting.get(subject) as Waiting<Answer>[]
    waiting.delete(subject)
    for (const packet of packetsOf(calls)) void post(subject, packet)
  }

  /** Never rejects: each call hears of it. */
  async function post(subject: string, calls: Waiting<Answer>[]) {
    try {
      const within_ms = Math.max(...calls.map(({ left_ms }) => left_ms))
      const messages = calls.map(({ message }) => message)
      const answers: Answer[] = JSON.parse(await send(subject, `[${messages.join()}]`, within_ms))
      if (!Array.isArray(answers)) throw unanswered() // by an older process, which opened no packet
      for (const [i, { resolve }] of calls.entries()) resolve(answers[i] as Answer)
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
