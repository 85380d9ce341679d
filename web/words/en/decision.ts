export const words = {
  rules: {
    program: "Program",
    link: "Link",
    partner: "Partner",
    candidates: "Clicks",
    window: "Window",
    duration: "Renewals",
    policy: "Rate",
    amount: "Amount",
    hold: "Hold",
    approval: "Approval",
    refunds: "Refunds",
    rejection: "Rejection",
  },
  amounts: { earned: "Earned", deducted: "Taken back", clamped: "Given back", paid: "Paid" },
}
