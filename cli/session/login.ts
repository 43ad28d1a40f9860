import { CliError, EXIT } from '../failures/index.js'
import { createServer, type Login, loginEntity } from '../server/index.js'
import { ask, type Terminal } from '../terminal/index.js'
import type { Credentials } from './credentials.js'
import { DEFAULT_URL, isExposed, serverUrl } from './server-url.js'

export type LoginOptions = { user?: string; passwordStdin?: boolean }

export type LoginContext = {
  terminal: Terminal
  environment: NodeJS.ProcessEnv
  credentials: Credentials
  interrupted: AbortSignal
}

const readAll = async (input: Terminal['input']): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const askOnTerminal = async (
  { terminal, interrupted }: LoginContext,
  question: { prompt: string; isSecret?: boolean; instead: string },
): Promise<string> => {
  if (!terminal.input.isTTY)
    throw new CliError(EXIT.usage, `There is no terminal for a prompt; set ${question.instead}`)
  const answer = await ask(terminal, { ...question, interrupted })
  if (answer === undefined) throw new CliError(EXIT.interrupted, 'Not logged in')
  return answer
}

const chooseUser = async (context: LoginContext, options: LoginOptions, url: string): Promise<string> =>
  options.user ??
  (context.environment.ARCHIVOLT_USER ||
    (await askOnTerminal(context, { prompt: `User at ${url}: `, instead: '--user or ARCHIVOLT_USER' })))

const choosePassword = async (
  context: LoginContext,
  options: LoginOptions,
  user: string,
): Promise<string> => {
  if (options.passwordStdin) return (await readAll(context.terminal.input)).replace(/\r?\n$/, '')
  return (
    context.environment.ARCHIVOLT_PASSWORD ||
    askOnTerminal(context, {
      prompt: `Password of ${user}: `,
      isSecret: true,
      instead: '--password-stdin or ARCHIVOLT_PASSWORD',
    })
  )
}

/** Prompts for what is missing, checks it with the server and stores it for later commands. */
export const login = async (
  context: LoginContext,
  { url: text, options }: { url: string | undefined; options: LoginOptions },
): Promise<void> => {
  const { terminal, environment, credentials } = context
  const url = serverUrl(text ?? (environment.ARCHIVOLT_URL || DEFAULT_URL))
  if (isExposed(url))
    terminal.error(`archivolt: ${url} is not encrypted: the password can be read on the network`)
  const user = await chooseUser(context, options, url)
  const password = await choosePassword(context, options, user)
  if (!user || user.includes(':') || !password)
    throw new CliError(EXIT.usage, 'A user (without a colon) and a password are required')
  const given: Login = { url, user, password }
  const entity = await createServer(given, context.interrupted).read(loginEntity, '/automation/login', {
    method: 'POST',
  })
  await credentials.save(given)
  const role = entity.isAdministrator ? ', an administrator' : ''
  terminal.error(`Logged in to ${url} as ${entity.username}${role}`)
}
