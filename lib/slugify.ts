/** "Zoë's Café & Co." is zoes-cafe-co. Null: nothing of the text is a letter or digit of ASCII. */
export function slugify(text: string, max_characters: number): string | null {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, "")
  const words = plain.match(/[a-z0-9]+/g)?.join("-")
  return words?.slice(0, max_characters).replace(/-$/, "") ?? null
}
