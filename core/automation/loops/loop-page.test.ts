import { describe, expect, test } from 'vitest'
import { KEPT_MESSAGE } from '../language/index.js'
import { BROKEN, createLoopBench, KEY, LOST, NOTED } from './loops.fixture.js'
import { type LoopPage, runLoopPage } from './transaction-executor.js'

type Bench = ReturnType<typeof createLoopBench>

const WORDS = ['a', 'b', 'c', 'd']

const pageOf = ({ dependencies, place }: Bench, report = (): void => undefined): Promise<LoopPage> =>
  runLoopPage(dependencies, { ...place, report })

/** As the workflow does: page by page, until all is done. */
const runToEnd = async (bench: Bench): Promise<LoopPage> => {
  for (let pages = 0; pages < 20; pages++) {
    const page = await pageOf(bench)
    if (page.isDone) return page
  }
  throw new Error('The loop comes to no end')
}

describe.each([true, false])('two executions of a page at once, ending at errors: %s', (isStrict) => {
  const params = { rollbackGlobalOnError: isStrict }

  test('do each item once, and none of them fails', async () => {
    const bench = createLoopBench(WORDS, { params })
    const pages = await Promise.all([runToEnd(bench), runToEnd(bench)])
    expect(await bench.written()).toEqual(WORDS)
    expect(await bench.cursor()).toMatchObject({ position: 4, failed: 0, stopped: null })
    expect(pages.map(({ loop }) => loop)).toEqual(
      Array(2).fill({ position: 4, total: 4, failed: 0, failures: [] }),
    )
  })

  test.each([
    ['the first', [BROKEN, 'b', 'c'], 0],
    ['one between', ['a', BROKEN, 'c'], 1],
  ])('agree on an item that fails, %s', async (_, words, position) => {
    const bench = createLoopBench(words, { params })
    const ends = await Promise.allSettled([runToEnd(bench), runToEnd(bench)])
    const failure = { position, status: 400, message: expect.stringContaining('This one is very') }
    if (isStrict) {
      expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      expect(await bench.written()).toEqual(words.slice(0, position))
      expect(await bench.cursor()).toMatchObject({ position, failed: 0, stopped: failure })
      return
    }
    expect(ends).toMatchObject(
      Array(2).fill({ value: { loop: { position: 3, total: 3, failed: 1, failures: [failure] } } }),
    )
    expect(await bench.written()).toEqual(words.filter((word) => word !== BROKEN))
    expect(await bench.failures()).toEqual([failure])
  })
})

describe('an item that fails for good', () => {
  const params = { rollbackGlobalOnError: false }

  test('is skipped within its page, and kept with what it reported and the beginning of its message', async () => {
    const bench = createLoopBench(['a', `${NOTED} ${BROKEN}`, 'c'], { params })
    expect(await pageOf(bench)).toMatchObject({ isDone: true, loop: { position: 3, failed: 1 } })
    const [failure] = await bench.failures()
    expect(failure?.message).toHaveLength(KEPT_MESSAGE)
    expect(failure).not.toHaveProperty('id')
    expect([...bench.kept().incidents.keys()]).toEqual(['run/1/1'])
    expect(bench.log.mock.calls).toEqual([
      ['warn', expect.stringMatching(/item/), expect.objectContaining({ workflowId: 'run', position: 1 })],
    ])
  })

  test('keeps what it reported when it ends the loop', async () => {
    const bench = createLoopBench([`${NOTED} ${BROKEN}`])
    await expect(pageOf(bench)).rejects.toThrow('This one is very')
    expect([...bench.kept().incidents.keys()]).toEqual(['run/1/0'])
  })
})

test('what an item reports is kept under its position, and nothing for others', async () => {
  const bench = createLoopBench(['a', NOTED, 'c'])
  await pageOf(bench)
  expect([...bench.kept().incidents]).toEqual([
    ['run/1/1', [expect.objectContaining({ kind: 'passedOver' })]],
  ])
})

describe('failed items', () => {
  const params = { rollbackGlobalOnError: false }
  const words = ['a', `x${BROKEN}`, `${NOTED} y${BROKEN}`, `z${BROKEN}`]
  const failed = async () => {
    const bench = createLoopBench(words, { params })
    await runToEnd(bench)
    return bench
  }
  const retrying = ({ memory }: Bench, workflowId: string, positions?: readonly number[]) =>
    createLoopBench(words, {
      params,
      memory,
      key: { workflowId, step: '0' },
      retries: { key: KEY, ...(positions && { positions }) },
    })

  test('are done again by another run, which keeps what they report', async () => {
    const bench = await failed()
    await bench.repair()
    const retry = retrying(bench, 'retry')
    expect(await pageOf(retry)).toEqual({
      isDone: true,
      loop: { position: 3, total: 3, failed: 0, failures: [] },
    })
    expect(await bench.written()).toEqual(words)
    expect(await bench.failures()).toEqual([])
    expect(await bench.cursor()).toMatchObject({ position: 4, failed: 0 })
    expect([...bench.kept().incidents.keys()]).toEqual(['run/1/2'])
  })

  test('are done again at some positions alone', async () => {
    const bench = await failed()
    await bench.repair()
    await runToEnd(retrying(bench, 'retry', [2, 9]))
    expect(await bench.written()).toEqual(['a', words[2]])
    expect((await bench.failures()).map(({ position }) => position)).toEqual([1, 3])
  })

  test('are done once by two runs at once', async () => {
    const bench = await failed()
    await bench.repair()
    const retries = ['one', 'two'].map((workflowId) => retrying(bench, workflowId))
    const ends = await Promise.all(retries.map(runToEnd))
    expect((await bench.written()).toSorted()).toEqual(words.toSorted())
    expect(await bench.failures()).toEqual([])
    expect(ends.map(({ loop }) => loop?.failures)).toEqual([[], []])
    for (const retry of retries) expect(await retry.cursor()).toMatchObject({ position: 3, failed: 0 })
  })

  test('stay failed when they fail again', async () => {
    const bench = await failed()
    const before = await bench.failures()
    const { loop } = await runToEnd(retrying(bench, 'retry'))
    expect(loop).toMatchObject({ position: 3, total: 3, failed: 3 })
    expect(loop?.failures.map(({ position }) => position)).toEqual([1, 2, 3])
    expect(await bench.failures()).toEqual(before)
    expect(await bench.cursor()).toMatchObject({ failed: 3 })
  })
})

test('an item that may pass ends the page, not the loop', async () => {
  const bench = createLoopBench(['a', LOST, 'c'], { params: { rollbackGlobalOnError: false } })
  await expect(pageOf(bench)).rejects.toThrow('The connection is lost')
  expect(await bench.written()).toEqual(['a'])
  expect(await bench.cursor()).toMatchObject({ position: 1, failed: 0, stopped: null })
})

test('the page reports each item, and ends where its caller stops it', async () => {
  const bench = createLoopBench(WORDS)
  const controller = new AbortController()
  const reported: object[] = []
  const page = runLoopPage(bench.dependencies, {
    ...bench.place,
    signal: controller.signal,
    report: (progress) => {
      reported.push(progress)
      if (progress.position === 2) controller.abort(new Error('stopped'))
    },
  })
  await expect(page).rejects.toThrow('stopped')
  expect(reported).toEqual([
    { position: 1, total: 4 },
    { position: 2, total: 4 },
  ])
  expect(await bench.written()).toEqual(['a', 'b'])
})

describe('variables', () => {
  const seenBehind = async (bench: Bench) => {
    const { state } = await runToEnd(bench)
    return state && 'state' in state && state.state.variables
  }

  test('are handed from one item to the next, and on', async () => {
    const bench = createLoopBench(WORDS, { params: { isolate: false } })
    const variables = await seenBehind(bench)
    expect(variables).toMatchObject({ seen: { value: 'abcd' } })
    expect(variables).not.toHaveProperty('item')
    expect(bench.kept().receipts.has(`${KEY.workflowId}/${KEY.step}`)).toBe(true)
  })

  test('of items that see nothing of each other are not', async () => {
    const bench = createLoopBench(WORDS)
    expect(await seenBehind(bench)).toBeUndefined()
    expect(await bench.cursor()).toMatchObject({ handedOn: null })
  })

  test('go on where another attempt has left them', async () => {
    const bench = createLoopBench(['a', LOST, 'c'], { params: { isolate: false } })
    await expect(pageOf(bench)).rejects.toThrow('lost')
    expect(await bench.cursor()).toMatchObject({
      handedOn: { state: { variables: { seen: { value: 'a' } } } },
    })
  })
})

test('a page holds five hundred items', async () => {
  const bench = createLoopBench(Array.from({ length: 501 }, (_, index) => `w${index}`))
  expect(await pageOf(bench)).toMatchObject({ isDone: false, loop: { position: 500, total: 501 } })
  expect(await pageOf(bench)).toMatchObject({ isDone: true, loop: { position: 501 } })
})

test('a variable that is no list is refused', async () => {
  const refusal = (list: string) => pageOf(createLoopBench(WORDS, { params: { list } }))
  await expect(refusal('seen')).rejects.toThrow("list: the variable 'seen' is not a list but string")
  await expect(refusal('nothing')).rejects.toThrow("list: the variable 'nothing' is not a list but missing")
  await expect(refusal('toString')).rejects.toThrow('missing')
})
