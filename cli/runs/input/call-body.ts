import { access, constants, stat } from 'node:fs/promises'
import { CliError, EXIT } from '../../failures/index.js'
import type { Call } from '../../server/index.js'
import { formBody } from './form-body.js'
import type { RunInput } from './run-input.js'

export type RunCall = {
  input: RunInput
  params: { [name: string]: unknown }
  context: { [name: string]: unknown }
}

/** Reported before anything is sent, with the name of the option. */
const checkFile = async (path: string): Promise<void> => {
  const refuse = (reason: unknown, cause?: unknown): CliError =>
    new CliError(EXIT.usage, `--input @${path}: the file cannot be read (${reason})`, { cause })
  const found = await access(path, constants.R_OK)
    .then(() => stat(path))
    .catch((cause: NodeJS.ErrnoException) => {
      throw refuse(cause.code, cause)
    })
  if (found.isDirectory()) throw refuse('it is a folder')
}

/** The body of an automation call: JSON, or a form when there are files (reference: automation.md §3). */
export const callBody = async ({
  input,
  params,
  context,
}: RunCall): Promise<Pick<Call, 'body' | 'headers'>> => {
  const json = JSON.stringify({ params, context, ...(input.kind === 'text' && { input: input.text }) })
  if (input.kind !== 'files') return { body: json, headers: { 'content-type': 'application/json' } }
  for (const path of input.files) await checkFile(path)
  return formBody(json, input.files)
}
