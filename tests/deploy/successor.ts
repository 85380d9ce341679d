import type { Launcher, ProcessEntry } from "../support/launcher"

/** The process that takes the place of one that was ended. */
export async function successorOf(launcher: Launcher, { name, replica, pid }: ProcessEntry) {
  for (;;) {
    const processes = await launcher.processes()
    const found = processes.find(process => process.name === name && process.replica === replica)
    if (found && found.pid !== pid) return found
    await Bun.sleep(20)
  }
}
