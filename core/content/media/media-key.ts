import { createHash } from 'node:crypto'
import type { MediaWork } from './tasks.js'

/**
 * By what is made of a file is remembered and shared: its bytes, and its type and encoding, which decide what is made
 * of them. Names are those of each document. Not by the digest that clients see: files that differ may share an MD5.
 *
 * @returns lower-case hex SHA-256.
 */
export const mediaKeyOf = ({ source }: Pick<MediaWork, 'source'>): string =>
  createHash('sha256')
    .update(JSON.stringify([source.key ?? source.digest, source['mime-type'], source.encoding ?? null]))
    .digest('hex')
