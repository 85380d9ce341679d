import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { YAML } from "bun"
import { generateTraffic } from "../../support/own-system"
import { launchWithMetrics } from "../../support/system-with-metrics"

const folder = join(import.meta.dir, "../../../deploy/observability")
const read = (name: string) => Bun.file(join(folder, name)).text()

type Rule = { alert: string; expr: string; annotations: { summary: string } }
type Panel = { title: string; type: string; targets?: { expr: string }[] }

const alerts = YAML.parse(await read("alerts.yml")) as { groups: { rules: Rule[] }[] }
const rules = alerts.groups.flatMap(group => group.rules)
const { panels } = JSON.parse(await read("dashboard.json")) as { panels: Panel[] }
const graphs = panels.filter(({ type }) => type !== "row")

const expressions: [what: string, expression: string][] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as [string, string]),
  ...graphs.flatMap(({ title, targets }) =>
    targets!.map(({ expr }) => [title, expr] as [string, string]),
  ),
]
const METRIC = /\b(?:tributary|nodejs|process)_\w+/g
const PROMETHEUS_LABELS = ["le", "job", "instance", "part"] // some come from prometheus.yml

let kinds: Map<string, string>
let labels: Set<string>

beforeAll(async () => {
  const system = await launchWithMetrics()
  await generateTraffic(system)
  const samples = await system.scrape()
  labels = new Set([...PROMETHEUS_LABELS, ...samples.flatMap(({ labels }) => Object.keys(labels))])
  const texts = await Promise.all(
    system.ports.map(async port => (await fetch(`http://localhost:${port}/metrics`)).text()),
  )
  kinds = new Map(
    texts.flatMap(text =>
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name!, kind!] as const),
    ),
  )
}, 60_000)

/** The names of the time series that a metric of a kind has. */
function seriesOf([name, kind]: [string, string]): string[] {
  return kind === "histogram" ? ["_bucket", "_sum", "_count"].map(end => name + end) : [name]
}

describe("deploy/observability", () => {
  test.each(expressions)("%s uses metrics that exist", (_what, expression) => {
    const names = expression.match(METRIC) ?? []
    const known = [...kinds].flatMap(seriesOf)
    expect(names.filter(name => !known.includes(name))).toEqual([])
    expect(names.length + Number(expression.startsWith("up{"))).toBeGreaterThan(0)
  })

  test.each(expressions)("%s selects and groups by labels that exist", (_what, expression) => {
    const selected = [...expression.matchAll(/(\w+)=~?"/g)].map(([, label]) => label!)
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) =>
      list!.split(",").map(label => label.trim()),
    )
    // No request was refused here, so no sample has the label "limit".
    const used = [...selected, ...grouped].filter(label => label !== "limit")
    expect(used.filter(label => !labels.has(label))).toEqual([])
  })

  test("uses each of Tributary's own metrics", () => {
    const used = expressions.map(([, expression]) => expression).join("\n")
    const own = [...kinds.keys()].filter(name => name.startsWith("tributary_"))
    expect(own.length).toBeGreaterThan(10)
    expect(own.filter(name => !used.includes(name))).toEqual([])
  })

  test("gives each alert a summary and a unique name", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, annotations } of rules) expect(annotations.summary, alert).toBeString()
  })
})
