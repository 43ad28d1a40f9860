import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { StackFailure } from '../process/index.js'

/** The superuser's password, in a file that only we may read; generated when there is neither file nor data. */
export const readOrCreatePassword = (file: string, dataFolder: string): string => {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  if (existsSync(dataFolder)) {
    throw new StackFailure(
      `${dataFolder} holds a database but its password file ${file} is gone: ` +
        'put the file back, or set ARCHIVOLT_HOME to a new folder.',
    )
  }
  const password = randomBytes(24).toString('base64url')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${password}\n`, { mode: 0o600, flush: true })
  return password
}
