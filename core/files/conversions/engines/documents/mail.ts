import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../../../platform/errors/index.js'
import type { Engine } from '../engine.js'
import { textOfMarkup } from './markup.js'

/** A mail is read whole. */
const MAX_BYTES = 50 * 1024 * 1024

/** Parts within parts; nobody nests deeper in earnest. */
const MAX_DEPTH = 32

/** Mails within mails: each is read again by itself. The files of those within are named. */
const MAX_MAILS = 4

/** Each costs the reader an object of its own, however short it is. */
const MAX_PARTS = 10_000
const MAX_LINES = 1_000_000

const countOf = (bytes: Buffer, text: string): number => {
  let count = 0
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) count++
  return count
}

/** Refuses too many lines, and lines that may begin a part, before anything is made of them. */
const requireFew = (bytes: Buffer): void => {
  if (countOf(bytes, '\n') > MAX_LINES) throw fail('invalid', `A mail has ${MAX_LINES} lines at most`)
  if (countOf(bytes, '\n--') > MAX_PARTS) throw fail('invalid', `A mail has ${MAX_PARTS} parts at most`)
}

type Address = { name?: string; address?: string; group?: Address[] }

const addressOf = ({ name, address, group }: Address): string =>
  group ? group.map(addressOf).join(', ') : [name, address && `<${address}>`].filter(Boolean).join(' ')

/** The text of a mail: its subject, its addresses and what it says; its attachments are named. */
export const createMailEngine =
  (): Engine =>
  async ({ input, folder }) => {
    if ((await stat(input)).size > MAX_BYTES) throw fail('invalid', `A mail has ${MAX_BYTES} bytes at most`)
    const bytes = await readFile(input)
    requireFew(bytes)
    // Loaded for the mails that there are: most processes never read one.
    const { default: PostalMime } = await import('postal-mime')
    const limits = { maxNestingDepth: MAX_DEPTH, maxRfc822NestingDepth: MAX_MAILS }
    const mail = await PostalMime.parse(bytes, limits).catch((cause) => {
      throw fail('conversionFailed', 'The mail cannot be read', { cause })
    })
    const lines = [
      ...(mail.subject ? [`Subject: ${mail.subject}`] : []),
      ...(mail.from ? [`From: ${addressOf(mail.from)}`] : []),
      ...(mail.to?.length ? [`To: ${mail.to.map(addressOf).join(', ')}`] : []),
      '',
      mail.text?.trim() ? mail.text : textOfMarkup(mail.html ?? ''),
      ...mail.attachments.flatMap(({ filename }) => (filename ? [`Attachment: ${filename}`] : [])),
    ]
    const path = join(folder, 'mail.txt')
    await writeFile(path, `${lines.join('\n').trimEnd()}\n`)
    return { path, mimeType: 'text/plain', encoding: 'UTF-8' }
  }
