import type { Finding, RouteStats } from "./fuzz"

type Run = {
  minutes: number
  seed: number
  tried: Map<string, RouteStats>
  findings: Finding[]
  memory: string
}

/** Writes the text of bench/fuzz.md: the requests sent, and the statuses of the replies. */
export function documentOf({ minutes, seed, tried, findings, memory }: Run): string {
  const inputs = [...tried.values()].reduce((sum, { inputs }) => sum + inputs, 0)
  const rows = [...tried].map(([route, { inputs, statuses }]) => {
    const seen = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`)
    return `| \`${route}\` | ${inputs} | ${seen.join(", ")} |`
  })
  return `# Every route under hostile values

\`npm run fuzz -- --minutes ${minutes} --seed ${seed}\` sent ${inputs} requests, generated from
\`/openapi.json\`: valid, nearly valid and hostile ones. No reply may be a 5xx, take
longer than 5 s, differ from the document or reveal internals. A request that is refused may not
write anything. There were ${findings.length} findings. ${memory}

| route | requests | replies |
|---|---|---|
${rows.join("\n")}
`
}
