import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Value } from '../language/index.js'
import { BROKEN, createEachBench, createLoopBench, KEY, LOST, namesOf } from './loops.fixture.js'
import { type LoopPage, runLoopPage } from './transaction-executor.js'

/** A step that does its target for each element of its input, and collects what each returns. */

type Bench = ReturnType<typeof createEachBench>

const pageOf = ({ dependencies, place }: Pick<Bench, 'dependencies' | 'place'>): Promise<LoopPage> =>
  runLoopPage(dependencies, { ...place, report: () => undefined })

const behind = ({ state }: LoopPage): { input?: Value; variables?: object } =>
  state && 'state' in state ? state.state : {}

const NAMES = ['a', 'b', 'c']
const REFUSED = `Failed to invoke operation: Test.Rename: No ${BROKEN}`
const GOES_ON = { rollbackGlobalOnError: false }

test('what each returns is its output, in their order, with what they have handed on', async () => {
  const bench = createEachBench(NAMES)
  const page = await pageOf(bench)
  expect(page).toMatchObject({ isDone: true, loop: { position: 3, total: 3, failed: 0, failures: [] } })
  const { input, variables } = behind(page)
  expect(namesOf(input)).toEqual(['new-a', 'new-b', 'new-c'])
  expect(variables).toEqual({ seen: { type: 'string', value: 'abc' } })
  expect([...bench.kept().receipts.keys()]).toEqual(['run/1/0', 'run/1/1', 'run/1/2', 'run/1'])
})

test('a second execution has the state of the first', async () => {
  const bench = createEachBench(NAMES)
  const first = await pageOf(bench)
  const kept = JSON.stringify([...bench.kept().receipts])
  expect(await pageOf(bench)).toEqual(first)
  expect(JSON.stringify([...bench.kept().receipts])).toBe(kept)
})

test('elements that see nothing of each other hand nothing on, and are collected all the same', async () => {
  const bench = createEachBench(NAMES, { isolate: true })
  const { input, variables } = behind(await pageOf(bench))
  expect(namesOf(input)).toEqual(['new-a', 'new-b', 'new-c'])
  expect(variables).toEqual({ seen: { type: 'string', value: '' } })
  expect(await bench.cursor()).toMatchObject({ handedOn: null })
})

test('one that fails stays as it came in, and is an incident beside the failure', async () => {
  const bench = createEachBench(['a', BROKEN, 'c'], GOES_ON)
  const page = await pageOf(bench)
  const failure = { position: 1, status: 400, message: REFUSED }
  expect(page.loop).toEqual({ position: 3, total: 3, failed: 1, failures: [failure] })
  expect(namesOf(behind(page).input)).toEqual(['new-a', BROKEN, 'new-c'])
  expect([...bench.kept().incidents]).toEqual([
    [
      'run/1/1/passed',
      [
        {
          kind: 'passedOver',
          operation: 'Test.Each',
          target: 'Test.Rename',
          input: { type: 'blob', name: BROKEN },
          failure: { code: 'badRequest', status: 400, message: REFUSED },
        },
      ],
    ],
  ])
  expect(bench.log.mock.calls).toEqual([
    ['warn', 'An item of a loop failed', { ...failure, ...KEY, chain: 'Test.Rename' }],
  ])
})

test('elements that fail write a number of lines to the log of the server, not one each', async () => {
  const bench = createEachBench(
    Array.from({ length: 20 }, () => BROKEN),
    GOES_ON,
  )
  const page = await pageOf(bench)
  expect(page.loop).toMatchObject({ total: 20, failed: 20 })
  expect(bench.log).toHaveBeenCalledTimes(3)
})

test('one that fails for good ends the step where that is asked for', async () => {
  const bench = createEachBench(['a', BROKEN, 'c'])
  await expect(pageOf(bench)).rejects.toThrow(REFUSED)
  expect(await bench.cursor()).toMatchObject({
    ...{ position: 1, failed: 0, stopped: { position: 1, status: 400, message: REFUSED } },
  })
  expect([...bench.kept().receipts.keys()]).toEqual(['run/1/0'])
})

describe('a retry of failed elements', () => {
  const failed = async () => {
    const bench = createEachBench(['a', BROKEN, `other ${BROKEN}`], GOES_ON)
    await pageOf(bench)
    return bench
  }
  const retrying = ({ memory }: Bench) =>
    createEachBench(['a', BROKEN, `other ${BROKEN}`], GOES_ON, { memory, retries: { key: KEY } })

  test('does those alone, and keeps nothing of what they return or hand on', async () => {
    const bench = await failed()
    await bench.repair()
    const before = [...bench.kept().receipts.keys()]
    const retry = retrying(bench)
    expect(await pageOf(retry)).toEqual({
      isDone: true,
      loop: { position: 2, total: 2, failed: 0, failures: [] },
    })
    expect([...retry.kept().receipts.keys()]).toEqual(before)
    expect(await bench.cursor()).toMatchObject({ failed: 0 })
  })

  test('that fails again is no incident of its own', async () => {
    const bench = await failed()
    const before = [...bench.kept().incidents.keys()]
    const { loop, state } = await pageOf(retrying(bench))
    expect([loop?.failed, state]).toEqual([2, undefined])
    expect([...bench.kept().incidents.keys()]).toEqual(before)
  })
})

test('an input that is no list is one call, without a cursor', async () => {
  const bench = createEachBench(undefined)
  const page = await pageOf(bench)
  expect(page).toEqual({ isDone: true, state: expect.anything() })
  expect(behind(page)).toEqual({
    input: { type: 'void' },
    variables: { seen: { type: 'string', value: 'nothing' } },
  })
  expect(await bench.cursor()).toBeUndefined()
})

test('a lost connection ends the page, and the next one goes on from there', async () => {
  const bench = createEachBench(['a', LOST, 'c'])
  await expect(pageOf(bench)).rejects.toThrow('lost')
  expect(bench.kept().incidents.size).toBe(0)
  expect(await bench.cursor()).toMatchObject({ position: 1, stopped: null })
  await bench.repair()
  expect(namesOf(behind(await pageOf(bench)).input)).toEqual(['new-a', `new-${LOST}`, 'new-c'])
})

describe('slow items', () => {
  afterEach(() => void vi.restoreAllMocks())

  test('are left to the next page after ten minutes', async () => {
    const MINUTE = 60_000
    const bench = createLoopBench(['a', 'b', 'c', 'd'])
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const page = () =>
      runLoopPage(bench.dependencies, {
        ...bench.place,
        report: () => {
          now += 5 * MINUTE
        },
      })
    // Two take ten minutes, which is not longer than that.
    expect(await page()).toMatchObject({ isDone: false, loop: { position: 3, total: 4 } })
    expect(await page()).toMatchObject({ isDone: true, loop: { position: 4 } })
  })
})
