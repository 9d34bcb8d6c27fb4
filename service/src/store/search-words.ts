const LETTER = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
const PLAIN = /[a-z0-9]/
const CODE_LENGTH = 4

/**
 * The words of a text as the search compares them: without case, accents and punctuation, with one space between words.
 * Letters outside ASCII and emoji are written as codes of four ASCII characters, because PostgreSQL finds no trigrams
 * in them unless the database has a suitable locale.
 */
export function toSearchWords(text: string, lengthMax: number): string {
  let words = ''
  let isSpaced = true
  // This is nearly always enough to fill the result. Normalizing the rest is not worth the time.
  for (const character of text
    .slice(0, lengthMax * 2)
    .normalize('NFKD')
    .toLowerCase()) {
    if (words.length >= lengthMax) break
    if (PLAIN.test(character)) words += character
    else if (LETTER.test(character)) words += codeOf(character)
    // In this normal form, an accent is a separate character. It does not end a word.
    else if (!/\p{M}/u.test(character) && !isSpaced) words += ' '
    isSpaced = words === '' || words.endsWith(' ')
  }
  return words.slice(0, lengthMax).trimEnd()
}

const codeOf = (character: string) =>
  (character.codePointAt(0) as number).toString(36).padStart(CODE_LENGTH, '0')
