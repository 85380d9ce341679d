export const words = {
  title: "Unsubscribe?",
  question: "You will no longer get e-mails about:",
  stop: "Unsubscribe",
  done: "You are unsubscribed",
  doneText: "You will no longer get e-mails about:",
  changeMind:
    "Notifications still appear in Tributary. Sign in to see them, or to turn e-mails back on.",
  kinds: {
    sale: "sales",
    rejection: "rejected commissions",
    refund: "refunds",
    payment: "payments",
    application: "applications",
    failing_endpoint: "disabled webhooks",
  },
}
