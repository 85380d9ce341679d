const of = (one: string, several: string) => (count: number, text: string) =>
  `${text} ${count === 1 ? one : several}`

export const words = {
  title: "Waits for you",
  names: {
    commissions_to_review: of("commission to review", "commissions to review"),
    refunds_after_payment: of("refund after payment", "refunds after payment"),
    currency_mismatch: of("commission in another currency", "commissions in another currency"),
  },
}
