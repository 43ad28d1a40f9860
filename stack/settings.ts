import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { withSecretFiles } from '../core/platform/settings/index.js'
import { LOOPBACK, StackFailure } from './process/index.js'

/** The settings of `npm start` in the environment; docs/operations.md lists them. */
export type StackSettings = {
  /** Absolute folder of all state. */
  home: string
  port: number
  /** Of the servers that are started here, which take others when these are taken. */
  serverPorts: { postgres: number; temporal: number; temporalUi: number; elasticsearch: number }
  /** Address that the API listens on. */
  host: string
  /** Absent: generated at the first start. */
  administratorPassword?: string
  /** Whether that stands in the file that ARCHIVOLT_ADMIN_PASSWORD_FILE names. */
  isPasswordInFile: boolean
  /** What new passwords must be: on this machine little, unless the environment asks for more. */
  passwords: { ARCHIVOLT_PASSWORD_LENGTH: string; ARCHIVOLT_COMMON_PASSWORDS: string }
  /** External servers, by address, instead of started ones. */
  databaseUrl?: string
  temporalAddress?: string
  temporalUi?: string
  /** Whether it answers searches; an external one by its address. */
  elasticsearch: { isEnabled: boolean; url?: string | undefined }
}

const parsePort = (env: NodeJS.ProcessEnv, name: string, otherwise: number): number => {
  const text = env[name]
  if (!text) return otherwise
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StackFailure(`${name} is "${text}": it must be a whole number from 1 to 65535.`)
  }
  return port
}

const parseHome = (text: string | undefined, folder: string): string => {
  const home = text || '.archivolt'
  return home === '~' || home.startsWith('~/') ? resolve(homedir(), home.slice(2)) : resolve(folder, home)
}

/** Absent when the text is not the address of a Postgres server; the password in it is never repeated. */
const parseDatabaseUrl = (text: string | undefined): string | undefined => {
  if (!text) return undefined
  if (/^postgres(ql)?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) return text
  throw new StackFailure('DATABASE_URL must look like postgres://user:password@host:5432/database.')
}

const parseTemporalAddress = (text: string | undefined): string | undefined => {
  if (!text || /^[^\s/]+:\d{1,5}$/.test(text)) return text || undefined
  throw new StackFailure(`TEMPORAL_ADDRESS is "${text}": it must look like host:7233.`)
}

/** The password in it is never repeated. */
const parseElasticsearch = (env: NodeJS.ProcessEnv): StackSettings['elasticsearch'] => {
  const { ARCHIVOLT_ELASTICSEARCH: use = '', ELASTICSEARCH_URL: url } = env
  if (!['', 'on', 'off'].includes(use))
    throw new StackFailure(`ARCHIVOLT_ELASTICSEARCH is "${use}": it must be on or off.`)
  if (url && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new StackFailure('ELASTICSEARCH_URL must look like http://host:9200.')
  return { isEnabled: use !== 'off', url: url || undefined }
}

/** Secrets that this process needs itself may stand in files, as those of the servers may. */
const readSecrets = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  try {
    return withSecretFiles(env)
  } catch (error) {
    throw new StackFailure(`${(error as Error).message}.`)
  }
}

/** Reads the settings; relative folders are taken from `folder`. Throws one sentence for a wrong one. */
export const readSettings = (env: NodeJS.ProcessEnv, folder: string): StackSettings =>
  settingsOf(readSecrets(env), folder)

const settingsOf = (env: NodeJS.ProcessEnv, folder: string): StackSettings => ({
  home: parseHome(env.ARCHIVOLT_HOME, folder),
  port: parsePort(env, 'ARCHIVOLT_PORT', 8080),
  serverPorts: {
    postgres: parsePort(env, 'ARCHIVOLT_POSTGRES_PORT', 5433),
    temporal: parsePort(env, 'ARCHIVOLT_TEMPORAL_PORT', 7233),
    temporalUi: parsePort(env, 'ARCHIVOLT_TEMPORAL_UI_PORT', 8233),
    elasticsearch: parsePort(env, 'ARCHIVOLT_ELASTICSEARCH_PORT', 9200),
  },
  host: env.ARCHIVOLT_HOST || LOOPBACK,
  administratorPassword: env.ARCHIVOLT_ADMIN_PASSWORD || undefined,
  isPasswordInFile: Boolean(env.ARCHIVOLT_ADMIN_PASSWORD_FILE),
  passwords: {
    ARCHIVOLT_PASSWORD_LENGTH: env.ARCHIVOLT_PASSWORD_LENGTH || '4',
    ARCHIVOLT_COMMON_PASSWORDS: env.ARCHIVOLT_COMMON_PASSWORDS || 'allowed',
  },
  databaseUrl: parseDatabaseUrl(env.DATABASE_URL),
  temporalAddress: parseTemporalAddress(env.TEMPORAL_ADDRESS),
  temporalUi: env.ARCHIVOLT_TEMPORAL_UI || undefined,
  elasticsearch: parseElasticsearch(env),
})
