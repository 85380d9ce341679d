import { spawn } from "bun"

type Advisory = { severity: string; title: string; url: string }

const NONE_FOUND = "No package has a known vulnerability of high or critical severity."

/**
 * Fails where package-lock.json does not fit package.json, and where a package that it names has a
 * known vulnerability of high or critical severity. A registry that tells of no vulnerabilities,
 * because it is away or knows none, is said and forgiven: it says nothing about the packages.
 */
process.exit((await isFrozen()) && (await hasNoKnownVulnerability()) ? 0 : 1)

async function isFrozen(): Promise<boolean> {
  const { code, errors } = await bun("install", "--frozen-lockfile", "--dry-run")
  if (code !== 0) console.error(errors)
  return code === 0
}

async function hasNoKnownVulnerability(): Promise<boolean> {
  const { output, errors } = await bun("audit", "--json")
  const advisories = read(output)
  if (!advisories) {
    console.warn(`No registry told of vulnerabilities, so none were looked for: ${errors.trim()}`)
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
