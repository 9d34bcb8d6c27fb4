/** Set by `npm run endurance`: tests that repeat something do so for much longer than in `npm test`. */
export const isEndurance = process.env.ENDURANCE === '1'
