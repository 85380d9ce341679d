export const words = {
  busy: "Loading",
  retry: "Try again",
  requestId: "Request",
  inDoubt: "Not confirmed. It may have happened. Look before you try again.",
  noReply: "The server did not reply. Check your connection.",
  notFound: "There is nothing at this address",
  notFoundText: "It may have been moved, or it belongs to another account.",
  home: "Go to the first page",
  notAllowed: "Your role does not include this",
  whoMay: (roles: string) => `This is for: ${roles}.`,
  roles: { owner: "owner", admin: "admin", analyst: "analyst", billing: "billing" },
  countedUntil: (time: string) => `Counted until ${time}`,
}
