export const words = {
  title: "E-mail notifications",
  explanation: "These settings are your own and apply to all your workspaces and programs.",
  save: "Save settings",
  saved: "Settings saved.",
  kinds: {
    sale: "Sales",
    rejection: "Rejected commissions",
    refund: "Refunds",
    payment: "Payments",
    application: "Applications",
    failing_endpoint: "Disabled webhooks",
  },
  frequencies: {
    instant: "At once",
    daily: "Once a day",
    weekly: "Once a week",
    off: "Never",
  },
}
