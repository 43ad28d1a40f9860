import { describe, expect, test } from 'vitest'
import { BROKEN, createLoopBench, KEY, LOST } from './loops.fixture.js'
import { type LoopPage, runLoopPage } from './transaction-executor.js'

type Bench = ReturnType<typeof createLoopBench>

const WORDS = ['a', 'b', 'c', 'd']

const pageOf = ({ dependencies, place }: Bench, report = (): void => undefined): Promise<LoopPage> =>
  runLoopPage(dependencies, { ...place, report })

/** As the workflow does: page by page, until all is done. */
const runToEnd = async (bench: Bench): Promise<LoopPage> => {
  for (;;) {
    const page = await pageOf(bench)
    if (page.isDone) return page
  }
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
    const failure = { position, status: 400, message: expect.stringContaining('broken') }
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
