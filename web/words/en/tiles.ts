export const words = {
  change: (direction: "up" | "down" | "stable", percent: string) =>
    direction === "stable" ? "→ as before" : `${direction === "up" ? "↑" : "↓"} ${percent}`,
}
