const [url, per_second, warm_up_seconds, seconds, links] = process.argv.slice(2) as [
  string,
  ...string[],
]
const TICK_MS = 5
const IN_FLIGHT_MAX = 256 // a slower Tributary receives fewer clicks, which the results show

await sendClicks(Number(warm_up_seconds))
console.log(JSON.stringify({ answered: await sendClicks(Number(seconds)) }))

/** Sends clicks at a steady rate without waiting for replies. Returns how many succeeded. */
async function sendClicks(seconds: number): Promise<number> {
  const start = performance.now()
  const inFlight = new Set<Promise<unknown>>()
  let sent = 0
  let answered = 0

  function click(n: number) {
    const request = send(`https://shop.example/?aff=bench-${n % Number(links)}`)
      .then(isAnswered => isAnswered && answered++)
      .catch(error => console.error(`${error}`))
      .finally(() => inFlight.delete(request))
    inFlight.add(request)
  }
  while (performance.now() < start + seconds * 1_000) {
    const due = ((performance.now() - start) / 1_000) * Number(per_second)
    while (sent < due && inFlight.size < IN_FLIGHT_MAX) click(sent++)
    await Bun.sleep(TICK_MS)
  }
  await Promise.all(inFlight)
  return answered
}

async function send(affiliate_url: string): Promise<boolean> {
  const reply = await fetch(`${url}/api/v1/track/click`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ affiliate_url, page_url: "https://shop.example/" }),
  })
  const { success } = (await reply.json()) as { success?: boolean }
  return success === true
}

export {} // makes this file a module, which allows top-level await
