import { createSignerFromKeypair } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import type { Keypair, LocalChain } from '@slipway/local-chain'
import {
  createKeyPairFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getTransactionDecoder,
  isSolanaError,
  sendAndConfirmTransactionFactory,
  signTransaction,
} from '@solana/kit'
import { Connection, VersionedTransaction, Keypair as WalletKey } from '@solana/web3.js'

type Chain = Pick<LocalChain, 'rpcUrl' | 'wsUrl'>
interface Sent {
  transaction: string
  blockhash: { blockhash: string; lastValidBlockHeight: number }
}
type SignAndSend = (chain: Chain, sent: Sent, signer: Keypair) => Promise<void>

/**
 * What a caller does with a transaction from the service: sign it, send it, and confirm it against the blockhash that
 * came with it. Rejects if it does not land.
 */
export const signAndSend: Record<'web3.js' | 'Umi' | 'kit', SignAndSend> = {
  async 'web3.js'({ rpcUrl, wsUrl }, { transaction, blockhash }, signer) {
    const connection = new Connection(rpcUrl, { commitment: 'confirmed', wsEndpoint: wsUrl })
    const signed = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
    signed.sign([WalletKey.fromSecretKey(Uint8Array.from(signer.secretKey))])
    const signature = await connection.sendTransaction(signed)
    const { value } = await connection.confirmTransaction({ signature, ...blockhash }, 'confirmed')
    if (value.err) throw new Error(JSON.stringify(value.err))
  },

  async Umi({ rpcUrl, wsUrl }, { transaction, blockhash }, signer) {
    const umi = createUmi(rpcUrl, { commitment: 'confirmed', wsEndpoint: wsUrl })
    const keypair = umi.eddsa.createKeypairFromSecretKey(Uint8Array.from(signer.secretKey))
    const unsigned = umi.transactions.deserialize(Buffer.from(transaction, 'base64'))
    const signed = await createSignerFromKeypair(umi, keypair).signTransaction(unsigned)
    const signature = await umi.rpc.sendTransaction(signed)
    const { value } = await umi.rpc.confirmTransaction(signature, {
      commitment: 'confirmed',
      strategy: { type: 'blockhash', ...blockhash },
    })
    if (value.err) throw new Error(JSON.stringify(value.err))
  },

  async kit({ rpcUrl, wsUrl }, { transaction, blockhash }, signer) {
    const rpc = createSolanaRpc(rpcUrl)
    const rpcSubscriptions = createSolanaRpcSubscriptions(wsUrl)
    const keyPair = await createKeyPairFromBytes(Uint8Array.from(signer.secretKey))
    const unsigned = getTransactionDecoder().decode(Buffer.from(transaction, 'base64'))
    const signed = await signTransaction([keyPair], unsigned)
    const lifetimeConstraint = {
      blockhash: blockhash.blockhash as never,
      lastValidBlockHeight: BigInt(blockhash.lastValidBlockHeight),
    }
    try {
      await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(
        { ...signed, lifetimeConstraint } as never,
        { commitment: 'confirmed' },
      )
    } catch (error) {
      // In production builds the message is only a code.
      if (isSolanaError(error)) throw new Error(`${error.message} ${JSON.stringify(error.context)}`)
      throw error
    }
  },
}
