import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const IMPORTS = /^(?:import|export|\}) .*from "(\.[^"]+)"$/gm

/** Whether a test file, or a file that it imports, matches. Paths are absolute. */
export function dependsOn(path: string, matches: (path: string) => boolean): boolean {
  const seen = new Set<string>()
  const visit = (path: string): boolean => {
    if (matches(path)) return true
    if (seen.has(path)) return false
    seen.add(path)
    const imports = readFileSync(path, "utf8").matchAll(IMPORTS)
    return [...imports].some(([, file]) => visit(sourceAt(join(dirname(path), file!))))
  }
  return visit(path)
}

const sourceAt = (path: string) => (existsSync(`${path}.ts`) ? `${path}.ts` : `${path}.tsx`)
