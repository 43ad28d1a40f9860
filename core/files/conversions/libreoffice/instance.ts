import type { ChildProcess, StdioOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, mkdir, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { fail } from '../../../platform/errors/index.js'
import { createTempFolder, removeFolder } from '../temp-folder.js'
import { killGroup, spawnTool } from '../tools/process-group.js'
import { tooSlow } from '../tools/run-tool.js'
import type { Tools } from '../tools/tools.js'
import { withoutPaths } from '../tools/without-paths.js'
import { convertScript } from './convert-script.js'
import type { OfficeJob } from './office-job.js'
import { createProfile } from './profile.js'

/** A running LibreOffice that converts one document after the other, each in a folder that holds nothing else. */
export type OfficeInstance = {
  /**
   * Fails with `operationFailed` when the document cannot be converted. After any other failure, and after a
   * time limit or an abort, `isUsable` is false.
   */
  convert(job: OfficeJob, limits: Limits): Promise<void>
  isUsable(): boolean
  /** Kills all its processes and removes its folder. */
  dispose(): Promise<void>
}

export type Limits = { timeoutMs: number; signal?: AbortSignal }

export type InstanceOptions = {
  soffice: string
  python: string
  tools: Tools
  tempFolder: string
  startTimeoutMs: number
  signal?: AbortSignal
}

const replySchema = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ ok: z.literal(true) }),
  z.object({ error: z.string(), isBroken: z.boolean() }),
])

type Reply = z.output<typeof replySchema>

/** Starts a LibreOffice with a profile of its own; ready in one to two seconds. */
export const startInstance = async (options: InstanceOptions): Promise<OfficeInstance> => {
  const folder = await createTempFolder(options.tempFolder)
  try {
    return await startIn(folder, options)
  } catch (error) {
    await removeFolder(folder)
    throw error
  }
}

const startIn = async (folder: string, options: InstanceOptions): Promise<OfficeInstance> => {
  const { soffice, python, tools, startTimeoutMs, signal } = options
  const script = join(folder, 'convert.py')
  await writeFile(script, convertScript)
  const args = [script, soffice, await createProfile(folder), `archivolt-${randomUUID()}`]
  const sandbox = await tools.sandbox()
  const stdio: StdioOptions = ['pipe', 'pipe', 'ignore']
  const child = spawnTool({ ...tools, command: python, args, folder, sandbox, stdio })
  const conversation = converse(child)
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
        // Not renamed: after a crash another instance opens the document again.
        await link(job.input, inside.input)
        const reply = conversation.nextReply(limits)
        child.stdin?.write(`${JSON.stringify(inside)}\n`)
        const answer = await reply
        if (!('error' in answer)) return await rename(inside.output, job.output)
        const failure = fail('operationFailed', `LibreOffice failed: ${withoutPaths(answer.error, place)}`)
        if (answer.isBroken) conversation.end(failure)
        throw failure
      } finally {
        await removeFolder(place)
      }
    },
    async dispose() {
      conversation.end(fail('operationFailed', 'LibreOffice was stopped'))
      await removeFolder(folder)
    },
  }
}

/** One reply at a time over the child's pipes; whatever goes wrong kills its whole process group. */
const converse = (child: ChildProcess) => {
  let waiting: { resolve(reply: Reply): void; reject(reason: unknown): void } | undefined
  let ended: { reason: unknown } | undefined

  const end = (reason: unknown) => {
    if (ended) return
    ended = { reason }
    killGroup(child)
    waiting?.reject(reason)
  }
  child.on('error', end)
  child.on('exit', () =>
    end(fail('operationFailed', 'LibreOffice ended before it had converted the document')),
  )
  // A write to a process that has just ended; its exit event explains it.
  child.stdin?.on('error', end)
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const reply = parseReply(line)
    if (reply) waiting?.resolve(reply)
    else end(fail('operationFailed', `LibreOffice's driver said ${JSON.stringify(line.slice(0, 200))}`))
  })

  const nextReply = ({ timeoutMs, signal }: Limits): Promise<Reply> =>
    new Promise<Reply>((resolve, reject) => {
      if (ended) return reject(ended.reason)
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => end(signal?.reason)
      const timer = setTimeout(() => end(tooSlow('LibreOffice', timeoutMs)), timeoutMs)
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
