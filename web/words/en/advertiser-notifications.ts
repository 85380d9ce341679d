export const words = {
  caption: "What happened, newest first",
  what: "What",
  kind: "Kind",
  when: "When",
  status: "Status",
  unread: "New",
  read: "Read",
  show: "Show",
  onlyUnread: "New ones only",
  everything: "All",
  markAll: "Mark these as read",
  marked: "Marked as read, up to the newest one in this list.",
  empty: "Nothing needs your attention",
  emptyText:
    "A refund after a commission was paid, an account that was unbound, or a webhook endpoint that was disabled appears here.",
  kinds: {
    paid_commission_refunded: "Refund after payment",
    account_unbound: "Account unbound",
    endpoint_disabled: "Endpoint disabled",
  } as Record<string, string>,
}
