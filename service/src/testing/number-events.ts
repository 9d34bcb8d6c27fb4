/** Gives the events the ids 1, 2, 3 and so on, so that a test can name them. */
export const NUMBER_EVENTS = `
  UPDATE events SET id = number FROM (SELECT id AS known, row_number() OVER (ORDER BY id) AS number FROM events) AS numbered
  WHERE id = known`
