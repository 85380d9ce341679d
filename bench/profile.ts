import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bodies } from "./bodies"
import { load } from "./load"
import { readSamples, type Sample } from "./samples"
import { createScene } from "./scene"
import { startSystem } from "./system"

const CONNECTIONS = 512
const WARM_UP_SECONDS = 10
const SECONDS = 20
const PROFILED = ["gateway", "tracking"]

/** Which kind of work a file belongs to. The first match counts. */
const KINDS: [kind: string, files: RegExp][] = [
  ["Elysia", /^(elysia|cookie|memoirist|exact-mirror)$/],
  [
    "validation",
    /^(@sinclair\/typebox|lib\/(bus\/operation|clean-unknown-fields|fields)\.ts|gateway\/http\/(body|text|query)\.ts)$/,
  ],
  ["bus", /^(@nats-io\/.*|lib\/(bus\/.*|request-context)\.ts)$/],
  ["database driver", /^(postgres|lib\/db\/.*\.ts)$/],
  ["rest of gateway", /^gateway\//],
  ["rest of tracking", /^services\//],
]
const BOUNDED = ["Elysia", "bus", "validation"]

const folder = await mkdtemp(join(tmpdir(), "tributary-profile-"))
const system = await startSystem({ BUN_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` })
const pids: { name: string; pid: number }[] = await Bun.file(
  join(system.dataDir, "processes.json"),
).json()

try {
  const scene = await createScene(system, 1_000)
  const file = await bodies(system, scene).clicks(1_000)
  const clicks = { file, path: "/api/v1/track/click", connections: CONNECTIONS }
  await load(system, { ...clicks, seconds: WARM_UP_SECONDS })
  const { cpu_us } = await load(system, { ...clicks, seconds: SECONDS })
  await system.stop() // a process writes its profile when it ends
  const profiles = await Promise.all(
    PROFILED.map(async name => {
      const { pid } = pids.find(process => process.name === name) as { pid: number }
      return { name, samples: await readSamples(folder, pid) }
    }),
  )
  await Bun.write(join(import.meta.dir, "profile.txt"), render(cpu_us, profiles))
  console.log(await Bun.file(join(import.meta.dir, "profile.txt")).text())
} finally {
  await system.stop()
  await rm(folder, { recursive: true })
}

type Profile = { name: string; samples: Sample[] }

function render(cpu_us: Record<string, number>, profiles: Profile[]): string {
  const totalUs = Object.values(cpu_us).reduce((sum, us) => sum + us, 0)
  const kinds = new Map<string, number>()
  for (const { name, samples } of profiles) {
    for (const { file } of samples) {
      const share = (cpu_us[name] ?? 0) / samples.length
      const kind = kindOf(name, file)
      kinds.set(kind, (kinds.get(kind) ?? 0) + share)
    }
  }
  const boundedUs = BOUNDED.reduce((sum, kind) => sum + (kinds.get(kind) ?? 0), 0)
  const row = (name: string, us: number) =>
    `${us.toFixed(1).padStart(8)} µs ${((100 * us) / totalUs).toFixed(1).padStart(6)} %  ${name}`

  return [
    `CPU per click at ${CONNECTIONS} connections, ${totalUs.toFixed(1)} µs in total.`,
    "Written by `npm run bench:profile`. The figures include the profiler itself.",
    "",
    "By part:",
    ...sorted(Object.entries(cpu_us)).map(([name, us]) => row(name, us)),
    "",
    `Of ${PROFILED.join(" and ")}, by kind of work. Native code counts towards its caller:`,
    ...sorted([...kinds]).map(([kind, us]) => row(kind, us)),
    "",
    `${BOUNDED.join(" + ")}: ${((100 * boundedUs) / totalUs).toFixed(1)} % (goal: at most 35 %)`,
    ...profiles.flatMap(({ name, samples }) => [
      "",
      `Functions of ${name} with the most CPU time of their own:`,
      ...topOf(samples).map(([where, share]) => row(where, share * (cpu_us[name] ?? 0))),
    ]),
    "",
  ].join("\n")
}

/** Code that Elysia compiles for a route has no file. */
function kindOf(part: string, file: string): string {
  if (part === "gateway" && file === "(Bun)") return "Elysia"
  return KINDS.find(([, files]) => files.test(file))?.[0] ?? "Bun itself"
}

function topOf(samples: Sample[]): [string, number][] {
  const counts = Map.groupBy(samples, ({ where }) => where)
  const shares = [...counts].map(([where, { length }]): [string, number] => [
    where,
    length / samples.length,
  ])
  return sorted(shares).slice(0, 30)
}

function sorted(rows: [string, number][]): [string, number][] {
  return rows.sort(([, one], [, other]) => other - one)
}
