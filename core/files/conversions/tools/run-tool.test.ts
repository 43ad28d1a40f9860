import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runTool } from './run-tool.js'
import { createTools } from './tools.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-tool-'))
afterAll(() => rm(folder, { recursive: true }))

const NONE = '/no/such/program'
const FILE_BYTES = 1024 ** 2

test('a program that writes too many files, or too much in all of them, is ended', async () => {
  const own = await mkdtemp(join(folder, 'own-'))
  const tools = createTools({ path: '/usr/bin:/bin', fileBytes: FILE_BYTES })
  const write = (script: string) =>
    runTool({ tools, folder: own, command: '/bin/sh', args: ['-c', script], timeoutMs: 60_000 })
  const many = 'i=0; while :; do i=$((i+1)); : > "$i"; [ $i -lt 11000 ] || sleep 1; done'
  await expect(write(many)).rejects.toMatchObject({
    ...{ code: 'conversionFailed', retryable: false, message: 'sh wrote more than 10000 files' },
  })
  await rm(own, { recursive: true })
  await mkdir(own)
  const much = 'i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > "$i"; [ $i -lt 4 ] || sleep 1; done'
  await expect(write(much)).rejects.toMatchObject({
    message: `sh wrote more than there is room for: its files have ${2 * FILE_BYTES} bytes at most (ARCHIVOLT_CONVERSION_FILE_BYTES)`,
  })
  await rm(own, { recursive: true })
})

const sandboxes = [
  ['bubblewrap', {}],
  ['unshare', { bwrap: NONE }],
  ['none', { bwrap: NONE, unshare: NONE }],
] as const

// Where a container permits no sandbox, the others are tried as often as there are.
test.each(sandboxes)(
  'a program that fills the disk is ended, also in the sandbox %s',
  async (_, commands) => {
    const tools = createTools({ path: '/usr/bin:/bin', commands, fileBytes: FILE_BYTES })
    const write = (script: string) =>
      runTool({ tools, folder, command: '/bin/sh', args: ['-c', script], timeoutMs: 30_000 })
    const refused = {
      code: 'conversionFailed',
      retryable: false,
      message: `sh wrote more than there is room for: a file has ${FILE_BYTES} bytes at most (ARCHIVOLT_CONVERSION_FILE_BYTES)`,
    }
    await expect(write('exec head -c 9000000 /dev/zero > large')).rejects.toMatchObject(refused)
    expect((await stat(join(folder, 'large'))).size).toBe(FILE_BYTES)
    // A program that goes on says why it could not write.
    await expect(write('trap "" XFSZ; exec head -c 9000000 /dev/zero > large')).rejects.toMatchObject(refused)
    await write('exec head -c 1000000 /dev/zero > large')
  },
)
