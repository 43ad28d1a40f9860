import { pbkdf2Sync, randomBytes } from 'node:crypto'

/** Who may do everything in the server that is started here; nobody else may do anything. */
export type Login = { name: string; password: string }

const NAME = 'archivolt'

/** A login of its own for each start: whoever needs it receives it with its address. */
export const newLogin = (): Login => ({ name: NAME, password: randomBytes(24).toString('base64url') })

/** Of a random password of 24 bytes, which nobody guesses however quick a guess is. */
const ITERATIONS = 10_000

/** The lines by which Elasticsearch knows a login: its realm of files, and its notation of PBKDF2. */
export const loginFiles = ({ name, password }: Login): { [file: string]: string[] } => {
  const salt = randomBytes(32)
  const hash = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha512')
  return {
    users: [`${name}:{PBKDF2}${ITERATIONS}$${salt.toString('base64')}$${hash.toString('base64')}`],
    users_roles: [`superuser:${name}`],
  }
}

/** The address of the server on loopback, with what logs in. */
export const addressOf = ({ name, password }: Login, host: string): string =>
  `http://${name}:${password}@${host}`
