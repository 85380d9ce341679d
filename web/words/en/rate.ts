export const words = {
  percent: (rate: string) => `${rate} of each sale`,
  fixed: (amount: string) => `${amount} for each sale`,
  duration: (months: number | null) =>
    months === null
      ? "for life"
      : months === 0
        ? "first payment only"
        : months === 1
          ? "for 1 month"
          : `for ${months} months`,
  both: (price: string, duration: string) => `${price}, ${duration}`,
}
