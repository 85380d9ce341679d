import { spawn } from "bun"

type Advisory = { severity: string; title: string; url: string }

const NONE_FOUND = "No package has a known vulnerability of high or critical severity."

/**
 * Fails if package-lock.json does not fit package.json, or if a package that it names has a known
 * vulnerability of high or critical severity. A registry that is unreachable or knows no advisories
 * only causes a warning: its silence says nothing about the packages.
 */
process.exit((await isFrozen()) && (await hasNoKnownVulnerability()) ? 0 : 1)

async function isFrozen(): Promise<boolean> {
  const { code, errors } = await bun("install", "--frozen-lockfile", "--dry-run")
  if (code !== 0) console.error(errors)
  return code === 0
}

async function hasNoKnownVulnerability(): Promise<boolean> {
  const { output, errors } = await bun("audit", "--json")
  const advisories = parseAdvisories(output)
  if (!advisories) {
    console.warn(`The registry returned no advisories. Packages were not checked: ${errors.trim()}`)
    return true
  }
  const found = Object.entries(advisories).flatMap(([name, list]) =>
    list
      .filter(isSevere)
      .map(({ severity, title, url }) => `${name}: ${severity}: ${title} ${url}`),
  )
  console.log(found.length === 0 ? NONE_FOUND : found.join("\n"))
  return found.length === 0
}

function isSevere({ severity }: Advisory) {
  return severity === "high" || severity === "critical"
}

function parseAdvisories(output: string): Record<string, Advisory[]> | null {
  try {
    return JSON.parse(output)
  } catch {
    return null
  }
}

/** Runs Bun in the current directory, which is the root of the repository. */
async function bun(...args: string[]) {
  const child = spawn([process.execPath, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, output, errors }
}
