import { pino } from 'pino'
import { expect, test } from 'vitest'
import { temporalLogger } from './temporal-runtime.js'

const logging = (level: string) => {
  const lines: { [field: string]: unknown }[] = []
  return { lines, logger: temporalLogger(pino({ level }, { write: (line) => lines.push(JSON.parse(line)) })) }
}

test('logs run, activity and error by our names', () => {
  const { lines, logger } = logging('info')
  const workflowExecution = { workflowId: 'chain-1', runId: 'run-1' }
  logger.warn('Activity failed', {
    sdkComponent: 'worker',
    workflowExecution,
    activityType: 'runSegment',
    taskToken: 'AAAA',
    error: new Error('disk full'),
  })
  expect(lines).toMatchObject([
    {
      level: 40,
      component: 'worker',
      workflowId: 'chain-1',
      runId: 'run-1',
      activity: 'runSegment',
      err: { message: 'disk full', stack: expect.any(String) },
      msg: 'Activity failed',
    },
  ])
  expect(lines[0]).not.toHaveProperty('taskToken')
})

test('logs why a workflow task fails', () => {
  const { lines, logger } = logging('info')
  logger.warn('Failing workflow task', {
    sdkComponent: 'core',
    runId: 'run-1',
    failure: 'Nondeterminism error',
  })
  expect(lines).toMatchObject([{ runId: 'run-1', err: { message: 'Nondeterminism error' } }])
})

test('logs a mistake of the caller as information, without the error', () => {
  const { lines, logger } = logging('info')
  const mistake = { code: 'notFound', status: 404, reason: '/nowhere' }
  logger.warn('Workflow failed', { error: new Error('/nowhere'), mistake, requestId: 'r1' })
  expect(lines).toMatchObject([{ level: 30, mistake, requestId: 'r1', msg: 'Workflow failed' }])
  expect(lines[0]).not.toHaveProperty('err')
})

test('writes nothing below the level of our log', () => {
  const { lines, logger } = logging('warn')
  logger.debug('Activity started', {})
  logger.info('Worker state changed')
  expect(lines).toEqual([])
})
