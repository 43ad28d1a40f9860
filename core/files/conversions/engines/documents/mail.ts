import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../../../platform/errors/index.js'
import type { Engine } from '../engine.js'
import type { ToolEngineOptions } from './pdf.js'
import { readWords } from './words/read-words.js'

/** A mail is read whole. */
const MAX_BYTES = 50 * 1024 * 1024

/** The text of a mail: its subject, its addresses and what it says; its attachments are named. */
export const createMailEngine =
  ({ tools, timeoutMs }: ToolEngineOptions): Engine =>
  async ({ input, folder, signal }) => {
    if ((await stat(input)).size > MAX_BYTES) throw fail('invalid', `A mail has ${MAX_BYTES} bytes at most`)
    const path = join(folder, 'mail.txt')
    await readWords({ input, output: path }, { folder, tools, timeoutMs, signal })
    return { path, mimeType: 'text/plain', encoding: 'UTF-8' }
  }
