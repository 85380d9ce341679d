export const words = {
  list: "Sales in another currency",
  sale: (sale: string, program: string) =>
    `This sale is in ${sale}, and the program counts in ${program}`,
  what: (program: string) =>
    `The program counts in ${program}. Revenue in other currencies is listed separately, a partner has a balance in each currency, and nothing is converted.`,
  intended: "You do sell in this currency: approve the commission like any other.",
  mistaken:
    "The currency is wrong: refund the sale, which takes the commission back. Then send it again with the right currency and a new transaction_id. A sale without a currency is in USD.",
  refund: "the refund request",
  ofProgram: (program: string) =>
    `The program is wrong: its currency stays ${program} once it has a sale. Create a program in the other currency, and send the sales with its token.`,
  create: "Create a program",
  show: "Show these sales and what to do about them",
}
