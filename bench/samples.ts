import { readdir } from "node:fs/promises"
import { join } from "node:path"

export type Sample = {
  where: string // the function and its file; for native code the file of its caller
  file: string // one of our files, or a package
}
type Node = {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

/** What a process was doing, sample by sample, from the .cpuprofile that Bun wrote. */
export async function readSamples(folder: string, pid: number): Promise<Sample[]> {
  const name = (await readdir(folder)).find(name => name.includes(`.${pid}.`))
  if (!name) throw new Error(`Process ${pid} wrote no profile.`)
  const profile: { nodes: Node[]; samples: number[] } = await Bun.file(join(folder, name)).json()

  const nodes = new Map(profile.nodes.map(node => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)),
  )
  const cache = new Map<number, Sample>()

  function sampleOf(id: number): Sample {
    const { functionName } = (nodes.get(id) as Node).callFrame
    const file = fileOf(id)
    return { file, where: `${functionName || "(anonymous)"} ${file}` }
  }
  /** The file of a node; for native code that of its nearest caller with a file. */
  function fileOf(id: number): string {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { url } = (nodes.get(at) as Node).callFrame
      if (url) return shortName(url)
    }
    return "(Bun)"
  }
  return profile.samples.map(id => {
    const sample = cache.get(id) ?? sampleOf(id)
    cache.set(id, sample)
    return sample
  })
}

const ROOT = join(import.meta.dir, "..")

function shortName(url: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return name ?? url.replace(/^file:\/\//, "").replace(`${ROOT}/`, "")
}
