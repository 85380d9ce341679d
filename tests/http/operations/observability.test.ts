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

const asked: [what: string, expression: string][] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as [string, string]),
  ...graphs.flatMap(({ title, targets }) =>
    targets!.map(({ expr }) => [title, expr] as [string, string]),
  ),
]
const METRIC = /\b(?:tributary|nodejs|process)_\w+/g
const OF_PROMETHEUS = ["le", "job", "instance", "part"] // and of prometheus.yml

let kinds: Map<string, string>
let labels: Set<string>

beforeAll(async () => {
  const world = await launchWithMetrics()
  await generateTraffic(world)
  const samples = await world.scrape()
  labels = new Set([...OF_PROMETHEUS, ...samples.flatMap(({ labels }) => Object.keys(labels))])
  const texts = await Promise.all(
    world.ports.map(async port => (await fetch(`http://localhost:${port}/metrics`)).text()),
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
  test.each(asked)("%s asks for what there is", (_what, expression) => {
    const names = expression.match(METRIC) ?? []
    const known = [...kinds].flatMap(seriesOf)
    expect(names.filter(name => !known.includes(name))).toEqual([])
    expect(names.length + Number(expression.startsWith("up{"))).toBeGreaterThan(0)
  })

  test.each(asked)("%s picks and groups by labels that there are", (_what, expression) => {
    const picked = [...expression.matchAll(/(\w+)=~?"/g)].map(([, label]) => label!)
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) =>
      list!.split(",").map(label => label.trim()),
    )
    const used = [...picked, ...grouped].filter(label => label !== "limit") // nobody was refused
    expect(used.filter(label => !labels.has(label))).toEqual([])
  })

  test("shows or watches each metric of Tributary's own", () => {
    const used = asked.map(([, expression]) => expression).join("\n")
    const own = [...kinds.keys()].filter(name => name.startsWith("tributary_"))
    expect(own.length).toBeGreaterThan(10)
    expect(own.filter(name => !used.includes(name))).toEqual([])
  })

  test("has an alert say what it is about, each by a name of its own", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, annotations } of rules) expect(annotations.summary, alert).toBeString()
  })
})
