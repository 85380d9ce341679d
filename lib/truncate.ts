/** Cuts a text to `max` code points: PostgreSQL does not store half a surrogate pair. */
export function truncate(text: string, max: number): string {
  return text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join("")
}
