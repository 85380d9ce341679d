export const words = {
  again: "Sign in again",
  sessionEnded: "Your session has ended. Sign in, and what you were doing goes on.",
  signIn: "Sign in",
  email: "E-mail address",
  password: "Password",
}
