import { join } from "node:path"
import { newAdvertiser } from "./advertiser"
import { httpClient } from "./client"
import { smallDisk } from "./disk"
import type { Stage } from "./fault"
import { openJournal } from "./journal"
import { openShop } from "./shop"
import { startSystem } from "./system"
import { startTraffic } from "./traffic"
import type { Scene } from "./trial"

type Ending = () => unknown

/** Sets a stage in `folder`: a system with an advertiser and traffic of its own. */
export async function setScene(stage: Stage, folder: string) {
  const endings: Ending[] = []
  const root = join(folder, stage)
  if (stage === "disk") endings.push(smallDisk(root))
  try {
    const system = await startSystem(root, stage === "network")
    endings.push(system.stop)
    const post = httpClient(system.url)
    const journal = openJournal(join(folder, `${stage}.jsonl`))
    const traffic = startTraffic(journal, openShop(await newAdvertiser(post)), post)
    endings.push(traffic.stop)
    const scene: Scene = { system, journal, traffic, known: { lost: [], duplicated: [] } }
    return { scene, end: () => endAll(endings) }
  } catch (error) {
    await endAll(endings)
    throw error
  }
}

async function endAll(endings: Ending[]) {
  for (const end of endings.reverse()) await end()
}
