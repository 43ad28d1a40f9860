import addressparser from 'nodemailer/lib/addressparser/index.js'
import { fail } from '../../platform/errors/index.js'

/** Begins the name of somebody who has no account and is known by a mail address alone. */
const TRANSIENT = 'transient/'

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in an address would begin another header
const CONTROL = /[\u0000-\u001f\u007f]/

const MAIL = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+$/

/** Whether a text can only be meant as an address: names of users are asked about first otherwise. */
export const isAddress = (text: string): boolean => {
  if (CONTROL.test(text)) return false
  const [parsed, ...more] = addressparser(text, { flatten: true })
  return more.length === 0 && MAIL.test(parsed?.address ?? '')
}

/** @throws badRequest naming the parameter, for what is no address of one mailbox. */
export const requireAddress = (text: string, parameter: string): string => {
  if (!isAddress(text)) throw fail('badRequest', `${parameter}: '${text}' is not a mail address`)
  return text.trim()
}

/** The address in the name of somebody without an account: `transient/<address>/…`; undefined for any other name. */
export const transientAddress = (username: string): string | undefined => {
  if (!username.startsWith(TRANSIENT)) return undefined
  const address = username.slice(TRANSIENT.length).split('/')[0] ?? ''
  return isAddress(address) ? address : undefined
}
