/** Whether a client says, by its Accept-Encoding, that it reads gzip. */
export const readsGzip = (accepted: string | null): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted ?? "")
