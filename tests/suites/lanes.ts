import type { Count, Print, Suite } from "./count"

/**
 * Runs suites, as many at once as there are lanes. What they print appears in their order and never
 * mixed: the first that has not ended as it runs, and the later ones when their turn comes.
 */
export async function inLanes(
  suites: Suite[],
  lanes: number,
  write: Print = text => process.stdout.write(text),
): Promise<Count[]> {
  const outputs = suites.map(() => heldOutput(write))
  const counts: Count[] = []
  const waiting = suites.entries()
  const runLane = async () => {
    for (const [i, suite] of waiting) {
      counts[i] = await suite.run(outputs[i]!.print)
      outputs[i]!.end()
    }
  }
  const running = Promise.all(Array.from({ length: lanes }, runLane))
  for (const [i, { title }] of suites.entries()) {
    write(`\n== ${title}\n`)
    await outputs[i]!.show()
  }
  await running
  return counts
}

/** Holds back what is printed until `show`, which ends with the suite. */
function heldOutput(write: Print) {
  let held: string[] | null = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const print: Print = text => {
    if (held) held.push(text)
    else write(text)
  }
  function show(): Promise<void> {
    for (const text of held ?? []) write(text)
    held = null
    return ended
  }
  return { print, show, end }
}
