import { didYouMean } from '../contributions/index.js'
import { SECRETS } from './secret-files.js'

/** Settings of the command line, of `npm start`, of compose and of tests, which API and worker do not read. */
const OF_OTHERS = [
  'ARCHIVOLT_URL',
  'ARCHIVOLT_USER',
  'ARCHIVOLT_PASSWORD',
  'ARCHIVOLT_POSTGRES_PORT',
  'ARCHIVOLT_TEMPORAL_PORT',
  'ARCHIVOLT_TEMPORAL_UI_PORT',
  'ARCHIVOLT_ELASTICSEARCH_PORT',
  'ARCHIVOLT_HTTP_PORT',
  'ARCHIVOLT_SITE',
  'ARCHIVOLT_DATABASE_PASSWORD',
  'ARCHIVOLT_API_MEMORY',
  'ARCHIVOLT_WORKER_MEMORY',
]

const PREFIX = 'ARCHIVOLT_'
const OURS = /^ARCHIVOLT_(?!TEST_|BENCH_)/

/**
 * What is said of variables that look like settings and are none, each with the setting that is probably meant.
 *
 * @returns undefined when there are none.
 */
export const unknownAmong = (env: NodeJS.ProcessEnv, settings: readonly string[]): string | undefined => {
  const known = [...settings, ...OF_OTHERS, ...SECRETS.map((name) => `${name}_FILE`)]
  const unknown = Object.keys(env).filter((name) => OURS.test(name) && !known.includes(name))
  if (unknown.length === 0) return undefined
  // What all have in common would make every two names alike.
  const ends = known.flatMap((name) => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : []))
  const named = unknown.map((name) => {
    const meant = didYouMean(name.slice(PREFIX.length), ends)
    return meant === undefined ? name : `${name} (did you mean ${PREFIX}${meant}?)`
  })
  return `no setting is called ${named.join(', ')}`
}
