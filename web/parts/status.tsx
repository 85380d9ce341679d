export type Tone = "good" | "warn" | "bad" | "plain"

/** A state as a word with a dot; never by color alone. */
export function Status({ tone, text }: { tone: Tone; text: string }) {
  return <span class={`status ${tone}`}>{text}</span>
}
