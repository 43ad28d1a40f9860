import { createHash, type Hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { fail } from '../../../core/platform/errors/index.js'

/** What a content is known by, lower-case hex. */
export type Digests = { sha256: string; md5: string }

/** Hashes of one content, whose bytes come in their order. */
export type ContentHashes = {
  /**
   * The caller leaves the bytes as they are until it is done, and awaits each call before the next.
   *
   * @param isLast nothing follows.
   * @throws unavailable when the thread has ended.
   */
  update(bytes: Uint8Array, isLast: boolean): Promise<void>
  /** Once the last bytes have come. */
  digests(): Digests
  /** Forgets what is unfinished. */
  close(): void
}

/** A thread hashes some 400 MiB a second, more than one client sends. */
const MAX_THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)))

const MEBIBYTES = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 }

/** A text so that the bundled servers carry it. Buffers are shared, so that nothing is copied to the thread. */
const SCRIPT = `
const { parentPort } = require('node:worker_threads')
const { createHash } = require('node:crypto')
const contents = new Map()
parentPort.on('message', ({ id, bytes, isLast, isDropped }) => {
  if (isDropped) return contents.delete(id)
  const hashes = contents.get(id) ?? { sha256: createHash('sha256'), md5: createHash('md5') }
  hashes.sha256.update(bytes)
  hashes.md5.update(bytes)
  if (!isLast) contents.set(id, hashes)
  else contents.delete(id)
  const digests = isLast && { sha256: hashes.sha256.digest('hex'), md5: hashes.md5.digest('hex') }
  parentPort.postMessage({ id, digests: digests || undefined })
})
`

type Reply = { id: number; digests?: Digests }

type Thread = {
  worker: Worker
  /** Contents that it hashes. */
  contents: number
  waiting: Map<number, { resolve(reply: Reply): void; reject(error: unknown): void }>
}

const threads: Thread[] = []
let lastId = 0

const startThread = (): Thread => {
  const worker = new Worker(SCRIPT, { eval: true, execArgv: [], env: {}, resourceLimits: MEBIBYTES })
  const thread: Thread = { worker, contents: 0, waiting: new Map() }
  worker.on('message', (reply: Reply) => thread.waiting.get(reply.id)?.resolve(reply))
  const end = (cause?: unknown): void => {
    if (threads.includes(thread)) threads.splice(threads.indexOf(thread), 1)
    for (const { reject } of thread.waiting.values())
      reject(fail('unavailable', 'The thread that hashes files has ended', { cause }))
  }
  worker.once('error', end).once('exit', () => end())
  threads.push(thread)
  return thread
}

/** The one with the fewest contents, or a new one while all have some. */
const chooseThread = (): Thread => {
  const [least] = [...threads].sort((a, b) => a.contents - b.contents)
  return least && (least.contents === 0 || threads.length >= MAX_THREADS) ? least : startThread()
}

const openThread = () => {
  const thread = chooseThread()
  const id = ++lastId
  const { worker, waiting } = thread
  thread.contents += 1
  // It keeps the process alive while it has work.
  worker.ref()
  return {
    update: async (bytes: Uint8Array, isLast: boolean): Promise<Digests | undefined> => {
      const reply = new Promise<Reply>((resolve, reject) => waiting.set(id, { resolve, reject }))
      worker.postMessage({ id, bytes, isLast })
      return (await reply.finally(() => waiting.delete(id))).digests
    },
    close: (isFinished: boolean): void => {
      if (!isFinished) worker.postMessage({ id, isDropped: true })
      thread.contents -= 1
      if (thread.contents === 0) worker.unref()
    },
  }
}

/** Hashes content that comes at once in this thread, and other content in a thread beside it. */
export const createContentHashes = (): ContentHashes => {
  let thread: ReturnType<typeof openThread> | undefined
  let found: Digests | undefined
  const here = (bytes: Uint8Array): Digests => {
    const hex = (hash: Hash): string => hash.update(bytes).digest('hex')
    return { sha256: hex(createHash('sha256')), md5: hex(createHash('md5')) }
  }
  return {
    update: async (bytes, isLast) => {
      if (isLast && !thread) {
        found = here(bytes)
        return
      }
      thread ??= openThread()
      found = await thread.update(bytes, isLast)
    },
    digests: () => {
      if (!found) throw new Error('The content has not come to its end')
      return found
    },
    close: () => thread?.close(found !== undefined),
  }
}
