import { expect, test, vi } from 'vitest'
import { createProgress } from './progress.js'
import { type Line, renderLine } from './render.js'

test.each<[Line, boolean, string]>([
  [
    { name: 'api', state: 'ready', elapsedMs: 1_234, detail: 'http://h' },
    false,
    'api        ready in 1.2 s   http://h',
  ],
  [{ name: 'api', state: 'starting', elapsedMs: 900 }, false, 'api        starting'],
  [{ name: 'api', state: 'starting', elapsedMs: 900 }, true, 'api        starting 0.9 s'],
  [
    { name: 'temporal', state: 'fetching', elapsedMs: 61_000, detail: 'by Go' },
    true,
    'temporal   fetching 61.0 s  by Go',
  ],
  [
    { name: 'api', state: 'restarting', elapsedMs: 0, detail: 'signal SIGKILL' },
    true,
    'api        restarting       signal SIGKILL',
  ],
])('renders %o', (line, isLive, expected) => {
  expect(renderLine(line, isLive)).toBe(expected)
})

const record = (isTTY: boolean) => {
  const written: string[] = []
  let time = 0
  const progress = createProgress({ isTTY, columns: 40, write: (text) => written.push(text) }, () => time)
  return {
    written,
    progress,
    pass: (ms: number) => {
      time += ms
    },
  }
}

test('writes one line for each change when the output is a file', () => {
  const { written, progress, pass } = record(false)
  progress.set('api', 'starting')
  progress.set('api', 'starting')
  pass(1_500)
  progress.set('api', 'ready', 'http://h')
  expect(written).toEqual(['api        starting\n', 'api        ready in 1.5 s   http://h\n'])
})

test('what takes long is reported again in a file, with the time that it has taken', () => {
  vi.useFakeTimers()
  const { written, progress, pass } = record(false)
  progress.set('temporal', 'fetching', 'built by Go')
  progress.set('api', 'ready')
  written.length = 0
  pass(30_000)
  vi.advanceTimersByTime(30_000)
  expect(written).toEqual(['temporal   fetching 30.0 s  built by Go\n'])
  progress.freeze()
  vi.useRealTimers()
})

test('the time of a restart begins again', () => {
  const { written, progress, pass } = record(false)
  progress.set('api', 'starting')
  pass(60_000)
  progress.begin('api')
  pass(500)
  progress.set('api', 'ready')
  expect(written.at(-1)).toBe('api        ready in 0.5 s\n')
})

test('rewrites its lines in place on a terminal, no wider than it, until they are frozen', () => {
  const { written, progress } = record(true)
  progress.set('api', 'starting')
  progress.set('worker', 'starting', 'x'.repeat(100))
  expect(written.join('')).toContain('\x1b[1A\x1b[0J')
  expect(Math.max(...written.filter((text) => !text.startsWith('\x1b')).map(({ length }) => length))).toBe(40)
  progress.freeze()
  written.length = 0
  progress.set('api', 'stopped')
  expect(written).toEqual(['api        stopped\n'])
})

test('keeps a message above the live lines', () => {
  const { written, progress } = record(true)
  progress.set('api', 'starting')
  written.length = 0
  progress.say('Port 1 is taken.')
  progress.freeze()
  expect(written.slice(0, 3)).toEqual(['\x1b[1A\x1b[0J', 'Port 1 is taken.\n', 'api        starting 0.0 s\n'])
})
