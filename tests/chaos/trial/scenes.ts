import { join } from "node:path"
import { newAdvertiser } from "./advertiser"
import { httpClient } from "./client"
import { mountSmallDisk } from "./disk"
import { openJournal } from "./journal"
import { openShop } from "./shop"
import type { Stage } from "./stage"
import { startSystem } from "./system"
import { startTraffic } from "./traffic"
import type { Scene } from "./trial"

type CleanUp = () => unknown

/** Starts a system in `folder`, with an advertiser and traffic of its own. `end` stops it all. */
export async function setScene(stage: Stage, folder: string) {
  const cleanUps: CleanUp[] = []
  const root = join(folder, stage)
  if (stage === "disk") cleanUps.push(mountSmallDisk(root))
  try {
    const system = await startSystem(root, stage)
    cleanUps.push(system.stop)
    const post = httpClient(system.url)
    const journal = openJournal(join(folder, `${stage}.jsonl`))
    const subscribe = (session: string) => system.receivers?.subscribe(post, session)
    const advertiser = await newAdvertiser(post, "chaos", subscribe)
    const traffic = startTraffic(journal, openShop(advertiser), post)
    cleanUps.push(traffic.stop)
    const known = { lost: [], duplicated: [] }
    const scene: Scene = { system, advertiser, journal, traffic, known }
    return { scene, end: () => runCleanUps(cleanUps) }
  } catch (error) {
    await runCleanUps(cleanUps)
    throw error
  }
}

async function runCleanUps(cleanUps: CleanUp[]) {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}
