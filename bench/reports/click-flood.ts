const [url, per_second, warm_up_seconds, seconds, links] = process.argv.slice(2) as [
  string,
  ...string[],
]
const TICK_MS = 5
const FLYING_MAX = 256 // whoever cannot take as many clicks gets fewer, and the results say so

await clickFor(Number(warm_up_seconds))
console.log(JSON.stringify({ answered: await clickFor(Number(seconds)) }))

/** Sends clicks at a steady rate, whatever becomes of those before. How many were answered. */
async function clickFor(seconds: number): Promise<number> {
  const began = performance.now()
  const flying = new Set<Promise<unknown>>()
  let sent = 0
  let answered = 0

  function click(n: number) {
    const flight = send(`https://shop.example/?aff=bench-${n % Number(links)}`)
      .then(is_answered => is_answered && answered++)
      .catch(error => console.error(`${error}`))
      .finally(() => flying.delete(flight))
    flying.add(flight)
  }
  while (performance.now() < began + seconds * 1_000) {
    const due = ((performance.now() - began) / 1_000) * Number(per_second)
    while (sent < due && flying.size < FLYING_MAX) click(sent++)
    await Bun.sleep(TICK_MS)
  }
  await Promise.all(flying)
  return answered
}

async function send(affiliate_url: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v1/track/click`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ affiliate_url, page_url: "https://shop.example/" }),
  })
  const { success } = (await answer.json()) as { success?: boolean }
  return success === true
}

export {} // a module, which may wait at its top
