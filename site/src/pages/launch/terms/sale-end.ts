/**
 * When a sale ended. If the chain took note of that later, such as on graduation, the API names the later moment.
 * Nobody could pay in any more from the time that its terms name.
 */
export const saleEndOf = (endTime: string, endsAt: string | undefined, nowMs: number): string =>
  endsAt !== undefined && endsAt < endTime && Date.parse(endTime) <= nowMs ? endsAt : endTime
