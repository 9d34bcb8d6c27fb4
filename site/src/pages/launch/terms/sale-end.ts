/**
 * When a sale ended. The chain may record the end later, such as on graduation, and the API returns that later time. But
 * deposits stop at the time in the terms.
 */
export const saleEndOf = (endTime: string, endsAt: string | undefined, nowMs: number): string =>
  endsAt !== undefined && endsAt < endTime && Date.parse(endTime) <= nowMs ? endsAt : endTime
