const CALLERS = 128
const TICK_MS = 5

/** Sends clicks at a steady rate, and waits for every answer: what it counts is exact. */
export async function pace(url: string, file: string, per_second: number, seconds: number) {
  const lines = (await Bun.file(file).text()).trimEnd().split("\n")
  const start = performance.now()
  const passed = () => (performance.now() - start) / 1_000
  let [sent, answered, errors] = [0, 0, 0]

  async function caller() {
    while (passed() < seconds) {
      if (sent >= per_second * passed()) {
        await Bun.sleep(TICK_MS)
        continue
      }
      const body = lines[sent++ % lines.length] as string
      if (await isAnswered(url, body)) answered++
      else errors++
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return { answered, errors }
}

async function isAnswered(url: string, body: string): Promise<boolean> {
  try {
    const headers = { "content-type": "application/json" }
    const answer = await fetch(`${url}/api/v1/track/click`, { method: "POST", headers, body })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}
