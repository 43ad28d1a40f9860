import { Runtime, Worker } from '@temporalio/worker'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { historyOf, readRecording } from '../test/replay/read-history.js'
import { workflowBundle } from '../test/support/workflow-bundle.js'
import { reportingLate, WorkflowWorker } from './workflow-worker.js'

Runtime.install({ telemetryOptions: { logging: { filter: 'off' } } })

test('workflow code has no time limit, each of which would cost a thread', async () => {
  const options = { workflowBundle: await workflowBundle(), isolateExecutionTimeout: 1 }
  const recording = readRecording(new URL('../test/replay/histories/housekeeping.json', import.meta.url))
  const replay = (worker: typeof Worker) => worker.runReplayHistory(options, historyOf(recording))
  await expect(replay(Worker)).rejects.toThrow('Script execution timed out after 1ms')
  await expect(replay(WorkflowWorker)).resolves.toBeUndefined()
})

describe('a task that does not end', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is reported, and no other one', async () => {
    const report = vi.fn()
    const work = (ms: number) => new Promise<number>((resolve) => setTimeout(() => resolve(ms), ms))
    const reporting = reportingLate(work, { ms: 5_000, report })
    const short = reporting(4_999)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await short).toBe(4_999)
    expect(report).not.toHaveBeenCalled()
    const long = reporting(7_000)
    await vi.advanceTimersByTimeAsync(7_000)
    expect(await long).toBe(7_000)
    expect(report).toHaveBeenCalledTimes(1)
  })
})
