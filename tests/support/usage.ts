/** Parses the command line. If `parse` throws, prints the error and the usage, and exits with 2. */
export function parseOrUsage<Options>(usage: string, parse: () => Options): Options {
  try {
    return parse()
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}
