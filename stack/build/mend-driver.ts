import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

/**
 * `postgres` 3.4.9 writes by a timer. When the connection is lost before it fires, the timer either brings
 * the process down (github.com/porsager/postgres/issues/1208) or, cancelled but not forgotten, keeps
 * everything that is written later from being sent, for ever. Each text is replaced as often as it occurs.
 */
const MENDS: readonly (readonly [text: string, mended: string])[] = [
  [
    'const x = socket.write(chunk, fn)\n',
    `if (!socket) {
      clearImmediate(nextWriteTimer), chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
    const x = socket.write(chunk, fn)\n`,
  ],
  ['clearImmediate(nextWriteTimer)\n', 'clearImmediate(nextWriteTimer), chunk = nextWriteTimer = null\n'],
]

/** @throws Error when the driver is another one than was mended: then see whether it still needs it. */
export const mend = (source: string): string =>
  MENDS.reduce((mended, [text, replacement]) => {
    if (!mended.includes(text)) throw new Error(`The driver "postgres" has changed: look at ${text.trim()}`)
    return mended.replaceAll(text, replacement)
  }, source)

/** Bundles the driver of the database instead of loading it at run time, and mends it on the way. */
export const mendDriver: Plugin = {
  name: 'mend-driver',
  setup: (build) => {
    build.onResolve({ filter: /^postgres$/ }, () => ({
      path: fileURLToPath(import.meta.resolve('postgres')),
    }))
    build.onLoad({ filter: /[\\/]postgres[\\/]src[\\/]connection\.js$/ }, async ({ path }) => ({
      loader: 'js',
      contents: mend(await readFile(path, 'utf8')),
    }))
  },
}
