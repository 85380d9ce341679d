export const words = {
  show: "Show",
  unread: "Unread",
  caption: "Notifications of all your programs, newest first",
  message: "What happened",
  program: "Program",
  at: "When",
  status: "Status",
  isRead: "Read",
  isUnread: "Unread",
  markAll: "Mark these as read",
  empty: "No notifications yet",
  emptyText: "You hear when a commission is rejected, paid or taken back, with the reason.",
}
