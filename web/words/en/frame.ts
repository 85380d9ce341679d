export const words = {
  skip: "Skip to the content",
  menu: "Menu",
  offline:
    "You are offline. What is loaded stays readable; nothing can be changed until you are back.",
  areas: { program: "Program", workspace: "Workspace", partner: "Partner", account: "Account" },
  allPrograms: "All programs",
  asPartner: "Your partner portal",
  asAdvertiser: "Your programs",
  theme: "Colors",
  themes: { system: "As the system", light: "Light", dark: "Dark" },
  signOut: "Sign out",
}
