const KEY = "theme"

export type Theme = "system" | "light" | "dark"

export const chosenTheme = (): Theme => (localStorage.getItem(KEY) as Theme | null) ?? "system"

/** Keeps the choice in this browser. The tokens of style/tokens.css follow `data-theme`. */
export function chooseTheme(theme: Theme) {
  if (theme === "system") localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  applyTheme()
}

export function applyTheme() {
  const theme = chosenTheme()
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
