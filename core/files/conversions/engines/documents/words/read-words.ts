import { Worker } from 'node:worker_threads'
import { fail } from '../../../../../platform/errors/index.js'
import { tooSlow } from '../../../tools/run-tool.js'

const ENTRY = new URL('./thread.mjs', import.meta.url)

/** What a mail of 50 MB of text takes, in MiB: its text has two bytes for a letter, and is there twice at times. */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 }

/** @property inputs the mail, or the chapters of a book: files in the order of their words. */
export type WordsJob = { kind: 'mail' | 'book'; inputs: readonly string[]; output: string }

type Answer = { refusal?: string; failure?: string }

/**
 * Writes the words of a file, as UTF-8, in a thread of its own: what parses it would hold up all else that the process
 * does, and might end it.
 *
 * @throws invalid for what is too large to be read, conversionFailed, timeout; the signal's reason.
 */
export const readWords = async (
  job: WordsJob,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<void> => {
  signal?.throwIfAborted()
  const thread = new Worker(ENTRY, { workerData: job, resourceLimits: HEAP, env: {}, execArgv: [], argv: [] })
  const limit = AbortSignal.timeout(timeoutMs)
  const stopped = AbortSignal.any([limit, ...(signal ? [signal] : [])])
  const stop = (): void => void thread.terminate()
  stopped.addEventListener('abort', stop, { once: true })
  const answer = await new Promise<Answer>((resolve) => {
    thread.once('message', resolve)
    thread.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(
        code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { refusal: `It needs more than ${HEAP.maxOldGenerationSizeMb} MiB to be read` }
          : { failure: message },
      ),
    )
    thread.once('exit', () => resolve({ failure: 'the thread that reads it has ended' }))
  }).finally(() => stopped.removeEventListener('abort', stop))
  signal?.throwIfAborted()
  if (limit.aborted) throw tooSlow('Reading the words', timeoutMs)
  await thread.terminate()
  if (answer.refusal !== undefined) throw fail('invalid', answer.refusal)
  if (answer.failure !== undefined)
    throw fail('conversionFailed', `The words cannot be read: ${answer.failure}`)
}
