export const words = {
  title: "Refused calls",
  none: "No call was refused in the last seven days.",
  routes: { click: "Click", lead: "Lead", sale: "Sale", refund: "Refund" },
  status: (status: number) => `Status ${status}`,
  sent: (names: string) => `Sent: ${names}.`,
  sentNothing: "Nothing could be read of what was sent.",
  curl: "Copy as curl",
  sendTest: "Send a test",
  copied: "Copied. Fill in the values that are not kept.",
  fixes: {
    customer:
      "Send the lead before the sale, with the same customer_key, or send the click_id that the browser script keeps.",
    otherKey: "One customer has one key. Send the key that the first lead had.",
    converted: "This customer has already bought. Leads after a sale need not be sent.",
    transaction: "A refund names the transaction_id of a sale that was recorded.",
    duplicate: "The sale is recorded already. Nothing has to be done.",
    amount: "amount_cents is a whole number in the smallest unit: 49.99 is 4999.",
    noToken:
      "No token was sent. Send this program's tracking token in the header Authorization: Bearer.",
    brokenToken:
      "Copy the whole tracking token of this program: aff_ and 38 characters. A key of the Management API does not work here.",
    unknownToken:
      "The token has been replaced, or belongs to an archived program or another installation. Send this program's own token. If you did not keep it, replace it under Integration.",
    inactive: "Resume the link or the program, or approve the partner again.",
    json: "Send a JSON object with Content-Type: application/json.",
    again: "Send the same call again: it counts once.",
    quota: "This installation accepts no more events for now. Ask its operator.",
    other: "Correct the field that the sentence names, and send the call again.",
  },
}
