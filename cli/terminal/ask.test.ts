import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ask } from './ask.js'

const asking = (isSecret: boolean) => {
  const [input, stderr] = [new PassThrough(), new PassThrough()]
  const interruption = new AbortController()
  const answer = ask({ input, stderr }, { prompt: 'Password: ', isSecret, interrupted: interruption.signal })
  return { input, interruption, answer, shown: () => String(stderr.read() ?? '') }
}

test('shows nothing of a secret', async () => {
  const { input, answer, shown } = asking(true)
  input.write('pas\x7fss wörd\r')
  expect(await answer).toBe('pass wörd')
  expect(shown()).toBe('Password: \n')
})

test('shows nothing of a secret that is asked for after something else', async () => {
  const [input, stderr] = [new PassThrough(), new PassThrough()]
  const { signal: interrupted } = new AbortController()
  const user = ask({ input, stderr }, { prompt: 'User: ', interrupted })
  input.write('ann\r')
  await user
  const secret = ask({ input, stderr }, { prompt: 'Password: ', isSecret: true, interrupted })
  input.write('secret\r')
  expect(await secret).toBe('secret')
  expect(String(stderr.read())).not.toContain('secret')
})

test('shows what else is typed', async () => {
  const { input, answer, shown } = asking(false)
  input.write('ann\r')
  expect(await answer).toBe('ann')
  expect(shown()).toContain('ann')
})

test.each<[string, (question: ReturnType<typeof asking>) => unknown]>([
  ['the input ends', ({ input }) => input.end()],
  ['Ctrl-C is typed', ({ input }) => input.write('\x03')],
  ['a signal comes', ({ interruption }) => interruption.abort()],
])('gives no answer when %s', async (_, stop) => {
  const question = asking(true)
  stop(question)
  expect(await question.answer).toBeUndefined()
})
