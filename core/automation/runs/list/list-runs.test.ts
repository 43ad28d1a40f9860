import { expect, test } from 'vitest'
import type { RunDescription } from '../run.js'
import { type ListSources, listRuns } from './list-runs.js'

const time = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second))

const run = (workflowId: string, startedAt: number, closedAt?: number): RunDescription => ({
  workflowId,
  chainId: 'chain',
  execution: 'workflow',
  principal: 'ann',
  status: closedAt === undefined ? 'RUNNING' : 'COMPLETED',
  startedAt: time(startedAt),
  closedAt: closedAt === undefined ? undefined : time(closedAt),
})

/** Sources that have some runs, the last first, as the engine and the database list them. */
const sourcesOf = (workflows: RunDescription[], inline: readonly string[] = []): ListSources => ({
  workflows: async ({ isRunning, before, limit }) => {
    const timeOf = ({ startedAt, closedAt }: RunDescription) => closedAt ?? startedAt
    return workflows
      .filter((each) => (each.closedAt === undefined) === isRunning && (!before || timeOf(each) < before))
      .sort((a, b) => timeOf(b).getTime() - timeOf(a).getTime())
      .slice(0, limit)
  },
  inlineRuns: {
    list: async (_, { limit, before }) =>
      inline
        .map((runId, index) => ({
          runId,
          chainId: 'chain',
          principal: 'ann',
          requestId: 'request',
          title: 'step',
          startedAt: time(index),
          closedAt: time(index),
        }))
        .filter(({ closedAt }) => !before || closedAt < before)
        .reverse()
        .slice(0, limit),
  },
})

const pagesOf = async (sources: ListSources, pageSize: number): Promise<string[][]> => {
  const pages: string[][] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { entries, nextCursor } = await listRuns(sources, {}, { pageSize, cursor })
    pages.push(entries.map(({ workflowId }) => workflowId))
    cursor = nextCursor
  }
  return pages
}

test('those that go on come first, then the last to end, of both sources', async () => {
  const sources = sourcesOf([run('a', 1), run('b', 3), run('c', 0, 1), run('d', 0, 5)], ['i0', 'i1', 'i2'])
  expect(await pagesOf(sources, 3)).toEqual([['b', 'a', 'd'], ['i2', 'c', 'i1'], ['i0']])
})

test('runs of one millisecond are each on one page', async () => {
  const sources = sourcesOf(['a', 'b', 'c', 'd', 'e'].map((id) => run(id, 0, 7)))
  const pages = await pagesOf(sources, 2)
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
  expect(pages.flat().sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a filter leaves out the source that cannot have such runs', async () => {
  const sources = sourcesOf([run('a', 1), run('b', 0, 1)], ['i0'])
  const listed = async (filter: Parameters<typeof listRuns>[1]) =>
    (await listRuns(sources, filter, { pageSize: 10 })).entries.map(({ workflowId }) => workflowId)
  expect(await listed({ execution: 'inline' })).toEqual(['i0'])
  expect(await listed({ execution: 'workflow' })).toEqual(['a', 'b'])
  expect(await listed({ state: 'RUNNING' })).toEqual(['a'])
})
