import type { Config } from '../config.ts'
import { createSigningKeyText, parseSigningKey } from '../lib/signing-key.ts'
import { OperatorError } from '../operator-error.ts'
import { readOrCreateFile } from './private-file.ts'

const KEY_FILE = 'card-signing-key.json'

/**
 * The configuration with a key that signs cards: the configured one, or one that is kept in the data folder. Only for the
 * embedded chains: all nodes must have the same key, so an operator has to choose it.
 */
export async function withCardKey(config: Config): Promise<Config> {
  if (config.cardSigning.key) return config
  const { path, text } = await readOrCreateFile(config.dataDir, KEY_FILE, createSigningKeyText)
  try {
    return { ...config, cardSigning: { ...config.cardSigning, key: parseSigningKey(text) } }
  } catch {
    throw new OperatorError(`${path} is not a private JWK. Delete it and start again.`)
  }
}
