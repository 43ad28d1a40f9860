import { readFile } from 'node:fs/promises'
import { CliError, EXIT } from '../failures/index.js'

/** The text of a file. @throws CliError for one that cannot be read, or is not in UTF-8. */
export const readText = async (path: string): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not text in UTF-8' : code
    throw new CliError(EXIT.usage, `${path} cannot be read: ${reason}`, { cause })
  }
}
