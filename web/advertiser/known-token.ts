/** Tracking tokens that were shown since the page was loaded. They are kept nowhere else. */
const tokens = new Map<number, string>()

export const keepToken = (program_id: number, token: string) => void tokens.set(program_id, token)
export const knownToken = (program_id: number): string | null => tokens.get(program_id) ?? null
