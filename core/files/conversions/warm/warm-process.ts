import type { ChildProcess } from 'node:child_process'
import { link, mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { fail } from '../../../platform/errors/index.js'
import type { ConfinedRun } from '../sandbox/sandbox.js'
import { createTempFolder, removeFolder } from '../temp-folder.js'
import { watchFolder } from '../tools/folder-limits.js'
import { killGroup, spawnTool } from '../tools/process-group.js'
import { tooSlow } from '../tools/run-tool.js'
import type { Tools } from '../tools/tools.js'
import { withoutPaths } from '../tools/without-paths.js'

/** A file for a warm process to read and one for it to write, absolute; the process reads the rest of the job as well. */
export type WarmJob = { input: string; output: string }

/** A running program that does one job after the other, each in a folder that holds nothing else. */
export type WarmProcess<Job extends WarmJob> = {
  /**
   * Fails with `conversionFailed` when the file cannot be converted, `invalid` when the program refuses it. After
   * any other failure, and after a time limit or an abort, `isUsable` is false.
   */
  convert(job: Job, limits: Limits): Promise<void>
  isUsable(): boolean
  /** Kills all its processes and removes its folder. */
  dispose(): Promise<void>
}

export type Limits = { timeoutMs: number; signal?: AbortSignal }

export type WarmProcessOptions = {
  /** For messages: `LibreOffice`. */
  name: string
  tools: Tools
  /** Below which it gets a folder of its own. */
  tempFolder: string
  startTimeoutMs: number
  signal?: AbortSignal
  /** What to run in that folder, once it is prepared. */
  prepare(folder: string): Promise<Pick<ConfinedRun, 'command' | 'args' | 'readable'>>
}

const replySchema = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ ok: z.literal(true) }),
  z.object({ error: z.string(), isBroken: z.boolean(), isRefusal: z.boolean().default(false) }),
])

type Reply = z.output<typeof replySchema>

/**
 * Starts a program that answers `{"ready":true}` on standard output, then one line of JSON for each line of JSON, a
 * job, on standard input: `{"ok":true}` or `{"error":"…","isBroken":bool}`, with `isRefusal` for what it will not do.
 */
export const startWarmProcess = async <Job extends WarmJob>(
  options: WarmProcessOptions,
): Promise<WarmProcess<Job>> => {
  const folder = await createTempFolder(options.tempFolder)
  try {
    return await startIn(folder, options)
  } catch (error) {
    await removeFolder(folder)
    throw error
  }
}

const startIn = async <Job extends WarmJob>(
  folder: string,
  options: WarmProcessOptions,
): Promise<WarmProcess<Job>> => {
  const { name, tools, startTimeoutMs, signal } = options
  const [sandbox, run] = [await tools.sandbox(), await options.prepare(folder)]
  const child = spawnTool({ ...tools, ...run, folder, sandbox, stdio: ['pipe', 'pipe', 'ignore'] })
  const conversation = converse(child, name)
  try {
    await conversation.nextReply({ timeoutMs: startTimeoutMs, signal })
  } catch (error) {
    conversation.end(error)
    throw error
  }
  return {
    isUsable: conversation.isOpen,
    async convert(job, limits) {
      const place = join(folder, 'job')
      await mkdir(place)
      try {
        const inside = { ...job, input: join(place, 'document'), output: join(place, basename(job.output)) }
        // Not renamed: after a crash another process opens the document again.
        await link(job.input, inside.input)
        const reply = conversation.nextReply(limits)
        child.stdin?.write(`${JSON.stringify(inside)}\n`)
        const unwatch = watchFolder({ folder, name, mostBytes: 2 * tools.fileBytes }, conversation.end)
        const answer = await reply.finally(unwatch)
        if (!('error' in answer)) return await rename(inside.output, job.output)
        const failure = failureOf(answer, { name, place })
        if (answer.isBroken) conversation.end(failure)
        throw failure
      } finally {
        await removeFolder(place)
      }
    },
    async dispose() {
      conversation.end(fail('operationFailed', `${name} was stopped`))
      await removeFolder(folder)
    },
  }
}

const failureOf = (
  { error, isRefusal }: Extract<Reply, { error: string }>,
  { name, place }: { name: string; place: string },
) => {
  const reason = withoutPaths(error, place)
  return isRefusal ? fail('invalid', reason) : fail('conversionFailed', `${name} failed: ${reason}`)
}

/** One reply at a time over the child's pipes; whatever goes wrong kills its whole process group. */
const converse = (child: ChildProcess, name: string) => {
  let waiting: { resolve(reply: Reply): void; reject(reason: unknown): void } | undefined
  let ended: { reason: unknown } | undefined

  const end = (reason: unknown) => {
    if (ended) return
    ended = { reason }
    killGroup(child)
    waiting?.reject(reason)
  }
  child.on('error', end)
  child.on('exit', () => end(fail('conversionFailed', `${name} ended before it had converted the document`)))
  // A write to a process that has just ended; its exit event explains it.
  child.stdin?.on('error', end)
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const reply = parseReply(line)
    if (reply) waiting?.resolve(reply)
    else end(fail('conversionFailed', `${name}'s driver said ${JSON.stringify(line.slice(0, 200))}`))
  })

  const nextReply = ({ timeoutMs, signal }: Limits): Promise<Reply> =>
    new Promise<Reply>((resolve, reject) => {
      if (ended) return reject(ended.reason)
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => end(signal?.reason)
      const timer = setTimeout(() => end(tooSlow(name, timeoutMs)), timeoutMs)
      const settle =
        <T>(how: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          waiting = undefined
          how(value)
        }
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting = { resolve: settle(resolve), reject: settle(reject) }
    })

  return { nextReply, end, isOpen: () => ended === undefined }
}

const parseReply = (line: string): Reply | null => {
  try {
    return replySchema.parse(JSON.parse(line))
  } catch {
    // Null reports it: the caller ends the conversation over it.
    return null
  }
}
