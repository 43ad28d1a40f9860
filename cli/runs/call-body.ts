import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import mime from 'mime-types'
import { CliError, EXIT } from '../failures/index.js'
import type { RunInput } from './run-input.js'

export type RunCall = {
  input: RunInput
  params: { [name: string]: unknown }
  context: { [name: string]: unknown }
}

type Body = { body: string | FormData; headers: { [name: string]: string } }

/** Read while it is sent, so a large file does not fill the memory. */
const openFile = async (path: string): Promise<Blob> => {
  try {
    if (!(await stat(path)).isFile()) throw new CliError(EXIT.usage, `--input @${path}: that is not a file`)
    return await openAsBlob(path, { type: mime.lookup(path) || 'application/octet-stream' })
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const reason = cause instanceof Error && 'code' in cause ? cause.code : cause
    throw new CliError(EXIT.usage, `--input @${path}: the file cannot be read (${reason})`, { cause })
  }
}

/** The body of an automation call: JSON, or with files a form whose first part is that JSON (automation.md §3). */
export const callBody = async ({ input, params, context }: RunCall): Promise<Body> => {
  const json = JSON.stringify({ params, context, ...(input.kind === 'text' && { input: input.text }) })
  if (input.kind !== 'files') return { body: json, headers: { 'content-type': 'application/json' } }
  const form = new FormData()
  form.append('params', json)
  for (const [index, path] of input.files.entries())
    form.append(input.files.length === 1 ? 'input' : `input#${index}`, await openFile(path), basename(path))
  return { body: form, headers: {} }
}
