import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../stack/process/index.js'
import { createProgress } from '../../stack/progress/index.js'
import { findTemporal, startTemporal } from '../../stack/temporal/index.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archivolt-find-'))
  mkdirSync(join(folder, 'bin'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** An environment whose `go` is this shell script, on a machine without `temporal`. */
const withGo = (script: string): NodeJS.ProcessEnv => {
  writeFileSync(join(folder, 'bin', 'go'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'bin', 'go'), 0o755)
  return { PATH: `${join(folder, 'bin')}:/bin`, XDG_CACHE_HOME: join(folder, 'cache') }
}

const INSTALL = 'printf "%s %s" "$1" "$2" > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"'

test('builds Temporal by Go once, into the cache', async () => {
  const env = withGo(INSTALL)
  const builds: string[] = []
  const find = () => findTemporal({ env, onBuild: () => builds.push('built') })
  const first = await find()
  expect(first).toBe(join(folder, 'cache', 'archivolt', 'temporal-1.5.1', 'temporal'))
  expect(await find()).toBe(first)
  expect(builds).toEqual(['built'])
})

test.each([
  ['failed', 'echo "no route to host" >&2; exit 1', undefined, /no route to host.*TEMPORAL_ADDRESS/],
  ['was interrupted', `${INSTALL}; exec sleep 120`, 300, /TEMPORAL_ADDRESS/],
])('a build that %s leaves nothing that looks whole', async (_, script, abortAfter, message) => {
  const env = withGo(script)
  const signal = abortAfter ? AbortSignal.timeout(abortAfter) : undefined
  await expect(findTemporal({ env, signal, onBuild: () => undefined })).rejects.toThrow(message)
  expect(existsSync(join(folder, 'cache', 'archivolt', 'temporal-1.5.1', 'temporal'))).toBe(false)
  expect(readdirSync(join(folder, 'cache', 'archivolt'))).toEqual([])
})

test('a build shows on a terminal what it does, how long it takes, and what saves it', async () => {
  const written: string[] = []
  const progress = createProgress({ isTTY: true, columns: 80, write: (text) => written.push(text) })
  const starting = startTemporal({
    env: withGo('exit 1'),
    port: await freePort(),
    uiPort: await freePort(),
    logFile: join(folder, 'temporal.log'),
    onState: (state, detail) => progress.set('temporal', state, detail),
  })
  await expect(starting).rejects.toThrow(/could not be built by Go/)
  progress.freeze()
  expect(written).toContain(
    'temporal   fetching 0.0 s   built by Go, ~4 min once; install temporal to skip\n',
  )
})
