import { createPublicKey, createSign } from 'node:crypto'
import { createSigningKeyText, parseSigningKey } from '../../lib/signing-key.ts'

/** Creates a self-signed certificate for one name, so that the repository contains no key. */
export function createTestCertificate(name: string): { key: string; cert: string } {
  const { privateKey } = parseSigningKey(createSigningKeyText())
  const publicKey = createPublicKey(privateKey)
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const names = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(name)))))
  const altNames = der(0x30, der(0x82, Buffer.from(name)))
  const authority = der(0x30, der(0x01, Buffer.from([0xff])))
  const extension = (id: string, value: Buffer) => der(0x30, oid(id), der(0x04, value))
  const body = der(
    0x30,
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    names,
    der(0x30, time('20200101000000Z'), time('20991231235959Z')),
    names,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension('551d11', altNames), extension('551d13', authority))),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const certificate = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{1,64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number) => der(0x02, Buffer.from([value]))
const time = (text: string) => der(0x18, Buffer.from(text))
