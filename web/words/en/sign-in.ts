export const words = {
  again: "Sign in again",
  sessionEnded: "Your session has ended. Sign in, and what you were doing goes on.",
  signIn: "Sign in",
  signUp: "Create an account",
  noAccount: "No account yet?",
  haveAccount: "You have an account?",
  name: "Your name",
  email: "E-mail address",
  password: "Password",
  passwordHint: "At least 10 characters that are hard to guess.",
  workspace: "Company or team",
  workspaceHint: "The name of your workspace. Left empty, it is named after you.",
}
