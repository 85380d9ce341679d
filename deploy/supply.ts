import { spawn } from "bun"

type Advisory = { severity: string; title: string; url: string }

/**
 * Fails where package-lock.json does not fit package.json, and where a package that it names has a
 * known hole of high or critical severity. A registry that tells of no holes, because it is away or
 * knows none, is said and forgiven: it says nothing about the packages.
 */
process.exit((await isFrozen()) && (await isSound()) ? 0 : 1)

async function isFrozen(): Promise<boolean> {
  const { code, errors } = await bun("install", "--frozen-lockfile", "--dry-run")
  if (code !== 0) console.error(errors)
  return code === 0
}

async function isSound(): Promise<boolean> {
  const { output, errors } = await bun("audit", "--json")
  const advisories = read(output)
  if (!advisories) {
    console.warn(`No registry told of holes, so none were looked for: ${errors.trim()}`)
    return true
  }
  const holes = Object.entries(advisories).flatMap(([name, list]) =>
    list.filter(isGrave).map(({ severity, title, url }) => `${name}: ${severity}: ${title} ${url}`),
  )
  console.log(holes.length === 0 ? "No package has a known grave hole." : holes.join("\n"))
  return holes.length === 0
}

function isGrave({ severity }: Advisory) {
  return severity === "high" || severity === "critical"
}

function read(output: string): Record<string, Advisory[]> | null {
  try {
    return JSON.parse(output)
  } catch {
    return null
  }
}

/** In the folder where this is run, which is the repository's. */
async function bun(...args: string[]) {
  const child = spawn([process.execPath, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, output, errors }
}
