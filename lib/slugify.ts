/** Turns "Zoë's Café & Co." into zoes-cafe-co. Null: no ASCII letter or digit remains. */
export function slugify(text: string, maxCharacters: number): string | null {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, "")
  const words = plain.match(/[a-z0-9]+/g)?.join("-")
  return words?.slice(0, maxCharacters).replace(/-$/, "") ?? null
}
