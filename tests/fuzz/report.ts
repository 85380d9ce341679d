import type { Finding, RouteStats } from "./fuzz"

type Run = {
  minutes: number
  seed: number
  tried: Map<string, RouteStats>
  finds: Finding[]
  memory: string
}

/** bench/fuzz.md: what was tried, and what came back. */
export function documentOf({ minutes, seed, tried, finds, memory }: Run): string {
  const inputs = [...tried.values()].reduce((sum, { inputs }) => sum + inputs, 0)
  const rows = [...tried].map(([route, { inputs, statuses }]) => {
    const seen = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`)
    return `| \`${route}\` | ${inputs} | ${seen.join(", ")} |`
  })
  return `# Every route under values nobody means well with

\`npm run fuzz -- --minutes ${minutes} --seed ${seed}\` sent ${inputs} requests that were made from \`/openapi.json\`: valid,
nearly valid, hostile. None may be answered 5xx, late (5 s), in a way that is not documented or tells of our insides,
and none that is refused may write. ${finds.length === 0 ? "All held." : `${finds.length} broke it.`} ${memory}

| route | inputs | answers |
|---|---|---|
${rows.join("\n")}
`
}
