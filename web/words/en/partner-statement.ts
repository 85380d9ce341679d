export const words = {
  intro:
    "Every change of what you are owed. Entries are only ever added; together they are your balance.",
  print: "Print",
  currency: "Currency",
  owed: "Owed to you",
  paid: "Paid so far",
  earned: "Earned in all",
  caption: (currency: string) => `Entries in ${currency}, newest first`,
  at: "When",
  what: "What",
  sale: "Sale",
  owedChange: "Owed",
  paidChange: "Paid",
  kinds: {
    commission: "Commission",
    deduction: "Taken back after a refund",
    rejection: "Commission rejected",
    payout: "Paid to you",
    clamp: "Given back: a refund takes no balance below zero",
  },
  empty: "No entries yet",
  emptyText: "The first sale that earns a commission makes the first entry.",
}
