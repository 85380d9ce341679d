export const words = {
  intro:
    "Four answers, then the first click. You can change them later; the currency only until the first sale.",
  name: "Name of the program",
  nameHint: "Partners see it, for example “Acme”.",
  site: "Your site",
  siteHint: "Where partners send visitors: https://shop.example",
  rate: "Commission of each sale, in %",
  rateHint: "For example 30. Groups of partners may have other rates.",
  rateWrong: "The rate is a number from 0 to 100, with two decimals at most.",
  currency: "Currency",
  currencyHint: "Of your sales. It cannot be changed after the first sale.",
  link: "You become the first partner of your program, so that you have a link to try.",
  yourLink: "Your own link",
  create: "Create the program",
}
