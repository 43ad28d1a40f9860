import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { CliError, EXIT } from '../failures/index.js'
import type { Login } from '../server/index.js'

/** Keeps the last login on this machine, readable by its owner only. */
export type Credentials = {
  file: string
  load(): Promise<Login | undefined>
  save(login: Login): Promise<void>
  /** False when there was nothing to remove. */
  remove(): Promise<boolean>
}

const content = z.object({ url: z.string(), user: z.string(), password: z.string() })

/** A relative XDG_CONFIG_HOME is to be ignored, says its specification. */
const fileIn = ({ XDG_CONFIG_HOME: folder, HOME: home }: NodeJS.ProcessEnv): string =>
  join(
    folder && isAbsolute(folder) ? folder : join(home ?? homedir(), '.config'),
    'archivolt',
    'credentials.json',
  )

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

const parse = (file: string, text: string): Login => {
  try {
    return content.parse(JSON.parse(text))
  } catch (cause) {
    throw new CliError(EXIT.usage, `${file} cannot be read: log in again with "archivolt login"`, { cause })
  }
}

/** Written to a temporary file and then renamed, so that it is never readable by others or incomplete. */
const write = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.chmod(0o600)
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}

const failing = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (cause) {
    throw new CliError(EXIT.usage, `${what} (${codeOf(cause) ?? cause})`, { cause })
  }
}

export const createCredentials = (environment: NodeJS.ProcessEnv): Credentials => {
  const file = fileIn(environment)
  return {
    file,
    load: async () => {
      const text = await failing(`${file} cannot be read`, () =>
        readFile(file, 'utf8').catch((error) => {
          if (codeOf(error) === 'ENOENT') return undefined
          throw error
        }),
      )
      return text === undefined ? undefined : parse(file, text)
    },
    save: (login) =>
      failing(`${file} cannot be written`, () => write(file, `${JSON.stringify(login, null, 2)}\n`)),
    remove: async () =>
      failing(`${file} cannot be removed`, () =>
        rm(file).then(
          () => true,
          (error) => {
            if (codeOf(error) === 'ENOENT') return false
            throw error
          },
        ),
      ),
  }
}
