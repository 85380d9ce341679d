export const words = {
  noPartner: "You are not a partner of any program",
  noPartnerText: "A program sends you an invitation. Open its link, and the program appears here.",
  lookingOn: (partner: string, program: string) =>
    `You see ${program} as ${partner} does. You can change nothing here.`,
  back: "Back to the partner",
}
