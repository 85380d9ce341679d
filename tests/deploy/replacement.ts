import type { Launcher, ProcessEntry } from "../support/launcher"

/** Waits for the process that replaces another one, and returns it. */
export async function waitForReplacement(launcher: Launcher, { name, replica, pid }: ProcessEntry) {
  for (;;) {
    const processes = await launcher.processes()
    const found = processes.find(process => process.name === name && process.replica === replica)
    if (found && found.pid !== pid) return found
    await Bun.sleep(20)
  }
}
