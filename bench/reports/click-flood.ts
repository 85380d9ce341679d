const [url, per_second, seconds, links] = process.argv.slice(2) as [string, ...string[]]
const TICK_MS = 5
const FLYING_MAX = 256 // whoever cannot take as many clicks gets fewer, and the results say so

/** Sends clicks at a steady rate, whatever becomes of those before. */
const until = performance.now() + Number(seconds) * 1_000
const began = performance.now()
const flying = new Set<Promise<unknown>>()
let sent = 0
let answered = 0

while (performance.now() < until) {
  const due = ((performance.now() - began) / 1_000) * Number(per_second)
  while (sent < due && flying.size < FLYING_MAX) click(sent++)
  await Bun.sleep(TICK_MS)
}
await Promise.all(flying)
console.log(JSON.stringify({ answered }))

function click(n: number) {
  const flight = send(`https://shop.example/?aff=bench-${n % Number(links)}`)
    .catch(error => console.error(`${error}`))
    .finally(() => flying.delete(flight))
  flying.add(flight)
}

async function send(affiliate_url: string) {
  const answer = await fetch(`${url}/api/v1/track/click`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ affiliate_url, page_url: "https://shop.example/" }),
  })
  const { success } = (await answer.json()) as { success?: boolean }
  if (success) answered++
}

export {} // a module, which may wait at its top
