export const words = {
  title: "Stop these mails?",
  question: "You will get no more mails about:",
  stop: "Stop these mails",
  done: "These mails are stopped",
  doneText: "You get no more mails about:",
  changeMind: "Notifications still stand in Tributary. Sign in to see them, or to get mails again.",
  kinds: {
    sale: "sales",
    rejection: "rejected commissions",
    refund: "refunds",
    payment: "payments",
    application: "applications",
    failing_endpoint: "webhook endpoints that fail",
  },
}
