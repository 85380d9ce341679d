import { readdir } from "node:fs/promises"
import { join } from "node:path"

export type Sampled = {
  where: string // the function, and the file that it is or was called from
  file: string // a file of ours, or a package
}
type Node = {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

/** What a process was doing, sample by sample: a .cpuprofile as Bun writes it. */
export async function samplesOf(folder: string, pid: number): Promise<Sampled[]> {
  const name = (await readdir(folder)).find(name => name.includes(`.${pid}.`))
  if (!name) throw new Error(`Process ${pid} has left no profile.`)
  const profile: { nodes: Node[]; samples: number[] } = await Bun.file(join(folder, name)).json()

  const nodes = new Map(profile.nodes.map(node => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)),
  )
  const known = new Map<number, Sampled>()

  function sampled(id: number): Sampled {
    const { functionName } = (nodes.get(id) as Node).callFrame
    const file = fileOf(id)
    return { file, where: `${functionName || "(anonymous)"} ${file}` }
  }
  /** Of native code, that of its nearest caller which has one. */
  function fileOf(id: number): string {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { url } = (nodes.get(at) as Node).callFrame
      if (url) return short(url)
    }
    return "(Bun)"
  }
  return profile.samples.map(id => {
    const found = known.get(id) ?? sampled(id)
    known.set(id, found)
    return found
  })
}

const ROOT = join(import.meta.dir, "..")

function short(url: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return name ?? url.replace(/^file:\/\//, "").replace(`${ROOT}/`, "")
}
