import { CliError, EXIT } from '../../failures/index.js'
import type { RunEntity, Server } from '../../server/index.js'
import { printableLine, type Terminal } from '../../terminal/index.js'
import { resultPath } from '../get-run.js'
import { fileNameOf } from './file-name.js'
import { commandNote, entityLines, pagingNote } from './render-entity.js'
import { saveBlob, saveBlobs } from './save-blob.js'

export type ResultOptions = { output?: string; json?: boolean }

type Shown = { run: RunEntity; terminal: Terminal; options: ResultOptions }

const report = ({ terminal, options }: Shown, files: readonly string[]): void => {
  if (options.json) terminal.out(JSON.stringify({ files }))
  else for (const file of files) terminal.error(`Saved to ${file}`)
}

const showBlobs = async (response: Response, shown: Shown): Promise<void> => {
  const { run, options } = shown
  const type = response.headers.get('content-type') ?? ''
  const isList = type.startsWith('multipart/mixed')
  if (options.output === undefined || !response.body) {
    await response.body?.cancel()
    const name = isList
      ? 'a list of files'
      : `the file ${fileNameOf(response.headers.get('content-disposition'))}`
    const target = isList ? 'FOLDER' : 'FILE'
    shown.terminal.error(
      `The result is ${printableLine(name)} (${printableLine(type)}). To save it: archivolt result ${run.workflowId} --output ${target}`,
    )
    return
  }
  if (isList && options.output === '-')
    throw new CliError(EXIT.usage, 'The result is a list of files: --output must name a folder')
  if (isList) return report(shown, await saveBlobs(response.body, type, options.output))
  const path = await saveBlob(
    { headers: response.headers, body: response.body },
    { output: options.output, terminal: shown.terminal },
  )
  if (path !== undefined) report(shown, [path])
}

const isBlob = ({ headers }: Response): boolean =>
  headers.has('content-disposition') || /^multipart\/mixed/.test(headers.get('content-type') ?? '')

/** Prints the result of a completed run, or saves it when it is a file. A bulk command has none. */
export const showResult = async (server: Server, shown: Shown): Promise<void> => {
  const { run, terminal, options } = shown
  if (run.execution === 'bulk' && options.output === undefined) return
  const response = await server.call(resultPath(run.chainId, run.workflowId), { timeoutMs: undefined })
  if (response.status === 204) return
  if (isBlob(response)) return showBlobs(response, shown)
  const entity: unknown = JSON.parse(await response.text())
  if (options.output !== undefined)
    throw new CliError(EXIT.usage, '--output: the result is a value, not a file; omit --output')
  if (options.json) return terminal.out(JSON.stringify(entity))
  for (const line of entityLines(entity)) terminal.out(line)
  for (const note of [pagingNote(entity), commandNote(entity)]) if (note) terminal.error(note)
}
