const CALLERS = 128
const TICK_MS = 5

/** Sends clicks at a steady rate and waits for every reply, so its counts are exact. */
export async function pace(url: string, file: string, perSecond: number, seconds: number) {
  const lines = (await Bun.file(file).text()).trimEnd().split("\n")
  const start = performance.now()
  const elapsedSeconds = () => (performance.now() - start) / 1_000
  let [sent, answered, errors] = [0, 0, 0]

  async function caller() {
    while (elapsedSeconds() < seconds) {
      if (sent >= perSecond * elapsedSeconds()) {
        await Bun.sleep(TICK_MS)
        continue
      }
      const body = lines[sent++ % lines.length] as string
      if (await sendClick(url, body)) answered++
      else errors++
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return { answered, errors }
}

async function sendClick(url: string, body: string): Promise<boolean> {
  try {
    const headers = { "content-type": "application/json" }
    const reply = await fetch(`${url}/api/v1/track/click`, { method: "POST", headers, body })
    await reply.arrayBuffer()
    return reply.status === 200
  } catch {
    return false
  }
}
