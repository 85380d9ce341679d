type Sample = { name: string; labels: Record<string, string>; value: number }

/** Scrapes the metrics of these ports, one sample per line. */
export async function scrape(ports: number[]): Promise<Sample[]> {
  const texts = await Promise.all(
    ports.map(async port => {
      const answer = await fetch(`http://localhost:${port}/metrics`)
      if (!answer.ok) throw new Error(await answer.text())
      return answer.text()
    }),
  )
  const lines = texts.flatMap(text => text.split("\n"))
  return lines.filter(line => line !== "" && !line.startsWith("#")).map(sampleOf)
}

function sampleOf(line: string): Sample {
  const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (!name) throw new Error(`Not a sample: ${line}`)
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, label, text]) => [label, text])),
    value: Number(value),
  }
}

/** The sum of the samples with this name and at least these labels. */
export function sum(samples: Sample[], name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels)
  return samples
    .filter(sample => sample.name === name)
    .filter(sample => wanted.every(([label, value]) => sample.labels[label] === value))
    .reduce((total, { value }) => total + value, 0)
}
