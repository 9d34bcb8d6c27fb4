/** What costs less to copy than to send as a piece of its own. */
const COPIED_BYTES_MAX = 16 * 1024

/** The same bytes in fewer pieces: those that lie one after the other in the same memory are one, and small ones are copied together. */
export function gatherPieces(pieces: readonly Buffer[]): Buffer[] {
  const gathered: Buffer[] = []
  for (const piece of joinNeighbours(pieces)) {
    const last = gathered.at(-1)
    if (last && last.length + piece.length <= COPIED_BYTES_MAX)
      gathered[gathered.length - 1] = Buffer.concat([last, piece])
    else gathered.push(piece)
  }
  return gathered
}

/** Nothing is copied: what lies one after the other in the same memory is one piece. */
export function joinNeighbours(pieces: readonly Buffer[]): Buffer[] {
  const joined: Buffer[] = []
  for (let at = 0; at < pieces.length; ) {
    const first = pieces[at] as Buffer
    const { buffer, byteOffset } = first
    let length = first.length
    for (at += 1; pieces[at]?.buffer === buffer && pieces[at]?.byteOffset === byteOffset + length; at += 1)
      length += pieces[at]?.length ?? 0
    joined.push(length === first.length ? first : Buffer.from(buffer, byteOffset, length))
  }
  return joined
}
