import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export const ADMINISTRATOR = 'Administrator'

/** The origin of the first administrator's password at this start. */
export type AdministratorPassword =
  | { origin: 'setting'; password: string }
  /** Generated now; to be shown once. */
  | { origin: 'generated'; password: string }
  /** Set at an earlier start; nobody here knows it. */
  | { origin: 'earlier' }

/**
 * The password to pass to the API. A generated one is stored (mode 600) only until it has been shown, so that a
 * first start that is killed does not lose it; `markShown` ends that.
 */
export const choosePassword = (file: string, fromSetting: string | undefined): AdministratorPassword => {
  if (fromSetting) return { origin: 'setting', password: fromSetting }
  if (existsSync(file)) {
    const { pending } = JSON.parse(readFileSync(file, 'utf8')) as { pending?: string }
    return pending ? { origin: 'generated', password: pending } : { origin: 'earlier' }
  }
  const pending = randomBytes(12).toString('base64url')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ pending }), { mode: 0o600, flush: true })
  return { origin: 'generated', password: pending }
}

/** Remembers that the administrator has a password and forgets the password itself. */
export const markShown = (file: string): void => {
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify({ setAt: new Date().toISOString() }), { mode: 0o600, flush: true })
}
