/** How many secrets are sealed with SECRET_KEY now, and which neither key opens. */
export type ResealResult = { resealed: number; unopened: string[] }
