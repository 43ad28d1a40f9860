import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('./stopped-process.fixture.ts', import.meta.url))

test('time in which a process stands still is not that of its script', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('begun')
  await sleep(50)
  child.kill('SIGSTOP')
  await sleep(3_000)
  child.kill('SIGCONT')
  expect((await lines.next()).value).toBe('8999994')
  if (child.exitCode === null) await once(child, 'exit')
})
