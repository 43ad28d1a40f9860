import { join } from 'node:path'
import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { type BlobOwner, type BlobStore, createBlobValue, fileContent } from '../blobs/index.js'
import type { CommandLine } from './command-lines/command-line.js'
import { guardedArguments, guardedEnvironment } from './command-lines/guards.js'
import { type CommandRun, runCommand } from './command-lines/run-command.js'
import { copyPrivately, requireFile } from './temp-folder.js'
import { requireTool } from './tools/require-tool.js'
import { runTool, type ToolRun } from './tools/run-tool.js'
import type { ToolName, Tools } from './tools/tools.js'
import { createWorkFolders } from './work-folders.js'

/**
 * @property isOwn the program opens files alone that the product has written, or its arguments have the guards.
 * @property timeoutMs in place of that of the bench.
 */
type Listening = Pick<ToolRun, 'onOutput' | 'onErrorOutput' | 'exitCodes'> & {
  isOwn?: boolean
  timeoutMs?: number
}

/** A private folder with copies of files, in which programs run one after the other. */
export type Bench = {
  folder: string
  /** The copies, in the order of the files. */
  paths: readonly string[]
  /** Runs a program on them, guarded; its standard output. Fails as conversions do. */
  run(tool: ToolName, args: readonly string[], listening?: Listening): Promise<string>
  /** Runs a deployed command line. @throws badRequest for a name that is not deployed. */
  runCommand(
    name: string,
    run: Pick<CommandRun, 'own' | 'given'> & Omit<Listening, 'isOwn' | 'timeoutMs'>,
  ): Promise<string>
  /** Stores a file that a program has written. @throws conversionFailed where there is none. */
  keep(path: string, described: { name: string; mimeType: string; encoding?: string }): Promise<BlobValue>
}

export type BenchRequest = {
  blobs: readonly BlobValue[]
  /** Whose what is stored is. */
  owner?: BlobOwner | undefined
  signal?: AbortSignal | undefined
}

/** Lends a bench; its folder is removed when `use` settles. */
export type Workbench = <Result>(
  request: BenchRequest,
  use: (bench: Bench) => Promise<Result>,
) => Promise<Result>

export type WorkbenchOptions = {
  store: BlobStore
  tools: Tools
  tempFolder: string
  /** For one program. */
  timeoutMs: number
  allowsUnconfined: boolean
  /** The command line of a name as deployed now. */
  commandOf(name: string): CommandLine | undefined
}

export const createWorkbench = (options: WorkbenchOptions): Workbench => {
  const { store, tools, timeoutMs, allowsUnconfined, commandOf } = options
  const inFolder = createWorkFolders(options.tempFolder)
  return ({ blobs, owner, signal }, use) =>
    inFolder(async (folder) => {
      const paths = blobs.map((_, index) => join(folder, `source-${index}`))
      for (const [index, blob] of blobs.entries())
        await store.withFile(blob, (path) => copyPrivately(path, paths[index]!))
      const limits = { folder, tools, timeoutMs, signal }
      return use({
        folder,
        paths,
        run: async (tool, args, { isOwn = false, ...listening } = {}) =>
          runTool({
            ...limits,
            ...listening,
            command: requireTool(tools, tool),
            args: isOwn ? args : guardedArguments(tool, args),
            env: await guardedEnvironment(tool, folder),
          }),
        runCommand: (name, run) => {
          const command = commandOf(name)
          if (!command)
            throw fail('badRequest', `The command line '${name}' is not available: it is not deployed`)
          return runCommand({ ...limits, ...run, command, allowsUnconfined })
        },
        keep: async (path, described) => {
          await requireFile(path)
          const stored = await store.write(fileContent(path), { ...(signal && { signal }), owner })
          return createBlobValue({ stored, ...described })
        },
      })
    })
}
