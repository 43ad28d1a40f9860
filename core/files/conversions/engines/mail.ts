import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { fail } from '../../../platform/errors/index.js'
import type { Engine } from './engine.js'
import { textOfMarkup } from './markup.js'

/** A mail is read whole. */
const MAX_BYTES = 50 * 1024 * 1024

/** Parts within parts; nobody nests deeper in earnest. */
const MAX_DEPTH = 32

type Address = { name?: string; address?: string; group?: Address[] }

const addressOf = ({ name, address, group }: Address): string =>
  group ? group.map(addressOf).join(', ') : [name, address && `<${address}>`].filter(Boolean).join(' ')

/** The text of a mail: its subject, its addresses and what it says; its attachments are named. */
export const createMailEngine =
  (): Engine =>
  async ({ input, folder }) => {
    if ((await stat(input)).size > MAX_BYTES) throw fail('invalid', `A mail has ${MAX_BYTES} bytes at most`)
    const mail = await PostalMime.parse(await readFile(input), { maxNestingDepth: MAX_DEPTH }).catch(
      (cause) => {
        throw fail('conversionFailed', 'The mail cannot be read', { cause })
      },
    )
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
