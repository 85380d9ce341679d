export const words = {
  pays: "You earn",
  sentence: (text: string) => `${text}.`,
  example: (sale: string, commission: string) => `A sale of ${sale} earns you ${commission}.`,
  fixed: (commission: string) => `Every sale earns you ${commission}, whatever it costs.`,
  products: "Some products have rates of their own.",
  renewals: "Renewals",
  renewal: (months: number | null) =>
    months === null
      ? "Every renewal of a subscription earns as well, for as long as it lasts."
      : months === 0
        ? "Only the first payment of a subscription earns."
        : `Renewals of a subscription earn for ${months === 1 ? "1 month" : `${months} months`}.`,
  window: "Window",
  clicks: (days: string) => `A sale counts for you up to ${days} after the click on your link.`,
  hold: "Hold",
  waits: (days: string) =>
    `A commission waits ${days}, so that refunds can be counted first. Then it is due to you.`,
  noHold: "A commission is due to you as soon as it is approved.",
  approval: "Approval",
  approved: "Commissions are approved by themselves when the hold ends.",
  byHand: "The advertiser approves each commission.",
  days: (days: number) => (days === 1 ? "1 day" : `${days} days`),
  site: "Site",
  paused: "The program is paused at the moment. Clicks do not count until it goes on.",
  terms: (version: number) => `Terms, version ${version}`,
  join: "How to join",
  invited:
    "The program invites its partners. If you have an invitation, open its link; if you are a partner already, sign in.",
  signIn: "Sign in",
  notFound: "There is no such program",
  notFoundText: "It may have ended, or its address has changed. Ask who gave you this address.",
}
