/** Whether the client accepts gzip, according to its Accept-Encoding. */
export const readsGzip = (accepted: string | null): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted ?? "")
