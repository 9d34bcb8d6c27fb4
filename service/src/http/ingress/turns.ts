/** Numbers the turns of the event loop in which it is called, starting with 1. */
export type CurrentTurn = () => number

export function createTurns(): CurrentTurn {
  let turn = 0
  let isOver = true
  const end = () => {
    isOver = true
  }
  return () => {
    if (isOver) {
      isOver = false
      turn += 1
      setImmediate(end)
    }
    return turn
  }
}
