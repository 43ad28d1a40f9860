import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Runtime, Worker } from '@temporalio/worker'
import { describe, expect, test } from 'vitest'
import { historyOf, type RecordedHistory, readRecording } from '../replay/read-history.js'
import { workflowBundle } from '../support/workflow-bundle.js'
import { historyFiles, releases } from '../upgrade/fixture.js'

/** A run of each kind: `test/replay/record.ts` says how to add one. */
const HISTORIES = new URL('../replay/histories/', import.meta.url)
const names = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'))

/** Runs that were open when an installation of a release was stopped: see `test/upgrade/record.ts`. */
const openRuns = releases().flatMap((version) =>
  historyFiles(version).map((file) => ({ version, file, name: basename(file) })),
)

Runtime.install({ telemetryOptions: { logging: { filter: 'off' } } })

const options = { workflowBundle: await workflowBundle() }

/** Children are named after the id of their run, so that it belongs to what is replayed. */
const replay = (recording: RecordedHistory): Promise<void> =>
  Worker.runReplayHistory(
    options,
    historyOf(recording),
    recording.events[0]?.workflowExecutionStartedEventAttributes?.workflowId,
  )

/** What workers register: the code itself runs in Temporal's sandbox alone. */
const workflowNames = [
  ...readFileSync(new URL('../../workflows/index.ts', import.meta.url), 'utf8').matchAll(
    /export \{ (.+) \}/g,
  ),
].flatMap(([, exported]) => exported!.split(', '))

test('there is a history of every workflow', () => {
  const recorded = names.map((name) => {
    const [first] = readRecording(new URL(name, HISTORIES)).events
    return first?.workflowExecutionStartedEventAttributes?.workflowType.name
  })
  expect([...new Set(recorded)].sort()).toEqual([...workflowNames].sort())
})

describe('the workflow code of today replays', () => {
  test.each(names)('%s', async (name) => {
    await expect(replay(readRecording(new URL(name, HISTORIES)))).resolves.toBeUndefined()
  })

  test.each(openRuns)('$name of the release $version', async ({ file }) => {
    await expect(replay(readRecording(file))).resolves.toBeUndefined()
  })

  test('and would notice if it did not', async () => {
    const recording = readRecording(new URL('single-segment.json', HISTORIES))
    const started = recording.events[0]?.workflowExecutionStartedEventAttributes
    if (!started) throw new Error('The history does not begin with its start')
    started.workflowType.name = 'housekeeping'
    await expect(replay(recording)).rejects.toThrow(/nondeterminism/i)
  })
})
