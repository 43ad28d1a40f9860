import { readFileSync } from 'node:fs'

const MANIFEST = new URL('../package.json', import.meta.url)

/** The version of this command: it is released with the server. */
export const commandVersion = (): string =>
  (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version
