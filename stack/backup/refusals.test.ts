import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkTarget, restore } from './index.js'

const folder = mkdtempSync(join(tmpdir(), 'archivolt-backup-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a backup', () => {
  test.each(['a.tar', 'a.tar.gz', 'a.tgz', 'a.tar.zst'])('may be called %s', (name) => {
    expect(() => checkTarget(folder, join(folder, name))).not.toThrow()
  })

  test.each([
    [
      'of another ending',
      folder,
      'x.zip',
      'x.zip is no name of a backup: it ends in .tar, .tar.gz, .tgz, .tar.zst.',
    ],
    ['into no folder', folder, '/none/x.tar', 'There is no folder /none to write the backup to.'],
    ['of no home', '/none', 'x.tar', 'There is no folder /none: is ARCHIVOLT_HOME the right one?'],
  ])('%s is refused', (_case, home, target, message) => {
    expect(() => checkTarget(home, target)).toThrow(
      expect.objectContaining({ name: 'StackFailure', message }),
    )
  })
})

test.each(['.tar', '.tar.gz'])('a cut archive %s is refused in one sentence', async (ending) => {
  const whole = join(folder, `whole${ending}`)
  const content = join(folder, 'content')
  writeFileSync(content, Buffer.alloc(100_000, 'content'))
  execFileSync('tar', ['--create', '--auto-compress', `--file=${whole}`, `--directory=${folder}`, 'content'])
  const bytes = readFileSync(whole)
  const cut = join(folder, `cut${ending}`)
  writeFileSync(cut, bytes.subarray(0, bytes.length / 2))
  await expect(restore(join(folder, 'home'), cut)).rejects.toThrow(
    expect.objectContaining({ message: `${cut} is not a whole backup: it is cut short, or no archive.` }),
  )
})
