import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { currentLogFields, withLogFields } from './log-scope.js'
import { createLogger } from './logger.js'

const logging = (level = 'info') => {
  const lines: { [field: string]: unknown }[] = []
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) }
  return { lines, logger: createLogger({ service: 'test', node: 'one', level, destination }) }
}

test('a line carries the fields of its scope, and those of the scopes around it', async () => {
  const { lines, logger } = logging()
  await withLogFields({ requestId: 'r1', activity: undefined }, async () => {
    await Promise.resolve()
    withLogFields({ activity: 'runSegment' }, () => logger.info({ step: 2 }, 'inside'))
    logger.info('after')
  })
  logger.info('outside')
  expect(lines).toMatchObject([
    { msg: 'inside', service: 'test', node: 'one', requestId: 'r1', activity: 'runSegment', step: 2 },
    { msg: 'after', requestId: 'r1' },
    { msg: 'outside' },
  ])
  expect(lines[1]).not.toHaveProperty('activity')
  expect(lines[2]).not.toHaveProperty('requestId')
})

test('what is logged does not stay in the scope', () => {
  const { logger } = logging()
  withLogFields({ requestId: 'r1' }, () => {
    logger.info({ secret: 1 }, 'once')
    expect(currentLogFields()).toEqual({ requestId: 'r1' })
  })
})

test('lines below the level are not written', () => {
  const { lines, logger } = logging('warn')
  logger.info('quiet')
  expect(lines).toEqual([])
})

test('without tracing there is no span to name', () => {
  expect(trace.getSpan(ROOT_CONTEXT)).toBeUndefined()
  expect(currentLogFields()).toEqual({})
})

test('what an error says of its causes is not said again', () => {
  const { lines, logger } = logging()
  const inner = new Error('no such file')
  const placed = new Error('the script fails at line 1: no such file', { cause: inner })
  const failed = new Error(`Failed to invoke operation: ${placed.message}`, { cause: placed })
  logger.error({ err: failed }, 'failed')
  logger.error({ err: new Error('cannot read', { cause: inner }) }, 'failed')
  expect(lines).toMatchObject([
    {
      err: {
        message: 'Failed to invoke operation: the script fails at line 1: no such file',
        stack: expect.stringContaining('caused by: Error: no such file'),
      },
    },
    { err: { message: 'cannot read: no such file' } },
  ])
})
