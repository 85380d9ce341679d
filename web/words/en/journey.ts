export const words = {
  titleOf: (key: string) => `Journey of ${key}`,
  empty: "Nothing is known of this customer yet",
  why: "Why it was or was not paid",
  kinds: {
    click: "Click",
    lead: "Lead",
    sale: "Sale",
    commission: "Commission",
    refund: "Refund",
    erased: "Erased",
  },
}
