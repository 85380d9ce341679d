import { describe, expect, test } from "bun:test"
import { dirname, join } from "node:path"

const root = join(import.meta.dir, "../..")

type Imports = Map<string, string[]>

/** The first circle of imports that each file leads into, as "a > b > a". */
function circlesIn(imports: Imports): string[] {
  const circles: string[] = []
  const finished = new Set<string>()
  const follow = (file: string, way: string[]) => {
    if (finished.has(file)) return
    if (way.includes(file)) {
      circles.push([...way.slice(way.indexOf(file)), file].join(" > "))
      return
    }
    for (const next of imports.get(file) ?? []) follow(next, [...way, file])
    finished.add(file)
  }
  for (const file of imports.keys()) follow(file, [])
  return circles
}

/** The folder of a noun: what stands together there may import each other's files. */
const roomOf = (file: string): string =>
  /^(services\/\w+\/[\w-]+|gateway\/(?:routes\/)?[\w-]+|lib\/[\w-]+)\//.exec(file)?.[1] ?? file

/** The imports between rooms. A service's contract re-exports those of its rooms. */
function betweenRooms(imports: Imports): Imports {
  const rooms: Imports = new Map()
  for (const [file, imported] of imports) {
    const [room, others] = [roomOf(file), imported.filter(other => !isContract(other)).map(roomOf)]
    rooms.set(room, [...(rooms.get(room) ?? []), ...others.filter(other => other !== room)])
  }
  return rooms
}

const isContract = (file: string) => /^services\/\w+\/([\w-]+\/)?contract\.ts$/.test(file)

async function importsOf(folders: string[]): Promise<Imports> {
  const imports: Imports = new Map()
  for (const folder of folders) {
    for await (const file of new Bun.Glob(`${folder}/**/*.ts`).scan(root)) {
      const text = await Bun.file(join(root, file)).text()
      const paths = [...text.matchAll(/(?:from|import\(?) ?"(\.[^"]+)"/g)].map(([, path]) => path!)
      imports.set(
        file,
        paths.map(path => `${join(dirname(file), path)}.ts`),
      )
    }
  }
  return imports
}

describe("imports", () => {
  test("a circle is found", () => {
    const imports = new Map([
      ["a.ts", ["b.ts"]],
      ["b.ts", ["c.ts"]],
      ["c.ts", ["b.ts"]],
    ])
    expect(circlesIn(imports)).toEqual(["b.ts > c.ts > b.ts"])
  })

  test("make no circle between files", async () => {
    const folders = ["gateway", "services", "lib", "deploy", "tests", "bench", "web"]
    expect(circlesIn(await importsOf(folders))).toEqual([])
  })

  test("make no circle between rooms", async () => {
    expect(circlesIn(betweenRooms(await importsOf(["gateway", "services", "lib"])))).toEqual([])
  })
})
