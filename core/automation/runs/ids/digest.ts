import { createHash } from 'node:crypto'

/** SHA-256 of a value's JSON, in hexadecimal. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')
