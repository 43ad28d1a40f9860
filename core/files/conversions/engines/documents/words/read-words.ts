import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { fail, isArchivoltError } from '../../../../../platform/errors/index.js'
import { nodeReadable } from '../../../tools/node-program.js'
import { runTool } from '../../../tools/run-tool.js'
import type { Tools } from '../../../tools/tools.js'

const ENTRY = fileURLToPath(new URL('./reader.mjs', import.meta.url))
const READABLE = nodeReadable(ENTRY, 'postal-mime')

/** What a mail of 50 MB of text takes: its text has two bytes for a letter, and is there twice at times. */
const HEAP_MIB = 512

/**
 * A mail at `input`; or `chapters` of a book, in the order of their words, at `input` with their numbers behind it, from 0.
 * Absolute paths.
 */
export type WordsJob = { input: string; chapters?: number; output: string }

const answerSchema = z.object({ refusal: z.string().optional(), failure: z.string().optional() })

/**
 * Writes the words of a file, as UTF-8, in a process of its own: what parses it would hold up all else that this one
 * does, and may end it.
 *
 * @throws invalid for what is too large to be read, conversionFailed, timeout; the signal's reason.
 */
export const readWords = async (
  job: WordsJob,
  run: { folder: string; tools: Tools; timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<void> => {
  const args = [`--max-old-space-size=${HEAP_MIB}`, ENTRY, JSON.stringify(job)]
  const said = await runTool({ ...run, command: process.execPath, args, readable: READABLE }).catch(
    (error: unknown) => {
      const hasEnded = isArchivoltError(error) && error.code === 'conversionFailed'
      throw hasEnded
        ? fail('invalid', `It cannot be read, or needs more than ${HEAP_MIB} MiB to be`, { cause: error })
        : error
    },
  )
  const { refusal, failure } = answerSchema.parse(JSON.parse(said))
  if (refusal !== undefined) throw fail('invalid', refusal)
  if (failure !== undefined) throw fail('conversionFailed', `The words cannot be read: ${failure}`)
}
