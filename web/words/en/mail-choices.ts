export const words = {
  title: "Notifications by mail",
  explanation: "These choices are yours, in all workspaces and programs.",
  save: "Save choices",
  saved: "Choices saved.",
  kinds: {
    sale: "Sales",
    rejection: "Rejected commissions",
    refund: "Refunds",
    payment: "Payments",
    application: "Applications",
    failing_endpoint: "Webhook endpoints that fail",
  },
  frequencies: {
    instant: "At once",
    daily: "Once a day",
    weekly: "Once a week",
    off: "Never",
  },
}
