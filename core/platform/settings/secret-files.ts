import { readFileSync } from 'node:fs'

/** Settings that may stand in a file, whose path the variable with `_FILE` behind its name gives. */
export const SECRETS = [
  'DATABASE_URL',
  'ARCHIVOLT_REPOSITORIES',
  'ARCHIVOLT_ADMIN_PASSWORD',
  'ARCHIVOLT_SIGNING_KEY',
  'ARCHIVOLT_TEMPORAL_KEY',
  'ARCHIVOLT_SMTP_URL',
  'TEMPORAL_API_KEY',
  'ELASTICSEARCH_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const

const readSecret = (variable: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new Error(`${variable}: the file ${file} cannot be read`, { cause })
  }
}

/**
 * The environment with the content of the files that it names for secrets; a line end behind a secret is none of it.
 *
 * @throws Error naming the variable when its file cannot be read, or when the secret is given in both ways.
 */
export const withSecretFiles = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const read: NodeJS.ProcessEnv = {}
  for (const name of SECRETS) {
    const variable = `${name}_FILE`
    const file = env[variable]
    if (!file) continue
    if (env[name]) throw new Error(`${variable}: ${name} is set as well; set one of the two`)
    read[name] = readSecret(variable, file)
  }
  return { ...env, ...read }
}
