/** What a command was asked for on its line. Where `read` throws, it ends with that and its usage. */
export function orUsage<Asked>(usage: string, read: () => Asked): Asked {
  try {
    return read()
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}
