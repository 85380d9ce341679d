export const words = {
  title: "You are invited",
  by: (person: string, workspace: string, role: string) =>
    `${person} invites you to join the workspace “${workspace}” as ${role}.`,
  toWorkspace: (workspace: string, role: string) =>
    `You are invited to the workspace “${workspace}” as ${role}.`,
  toProgram: (workspace: string, program: string) =>
    `“${workspace}” invites you to be a partner of the program “${program}”.`,
  roles: {
    owner: "an owner",
    admin: "an admin",
    analyst: "an analyst",
    billing: "a billing member",
  },
  until: (email: string, day: string) =>
    `The invitation is for ${email}, and can be accepted until ${day} (UTC).`,
  text: "Choose a password to accept the invitation, or enter the one of your account.",
  password: "Password",
  passwordHint: "A new password needs at least 10 characters and must be hard to guess.",
  name: "Your name",
  nameHint: "For a new account.",
  otherEmail: "Use a different e-mail address",
  otherEmailHint: "Leave empty to use the invited address.",
  accept: "Accept the invitation",
  noToken: "This link is incomplete.",
  openWholeLink: "Open the whole link of the invitation that you were sent.",
  notPending: "If you have accepted it already, sign in.",
  signIn: "Sign in",
}
