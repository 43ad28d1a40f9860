import { describe, expect, it } from 'vitest'
import { createGathering } from './gathering.js'

/** Batches that end when the test says so. */
const start = ({ lanes = 1, maxBatch = 3 } = {}) => {
  const batches: { items: readonly string[]; end(): void; fail(error: Error): void }[] = []
  const alone: string[] = []
  const gather = createGathering<string, string>({
    lanes,
    maxBatch,
    keyOf: (item) => item.slice(0, 1),
    together: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject })
      }),
    alone: async (item) => {
      alone.push(item)
      if (item.startsWith('x')) throw new Error(`${item} cannot be done`)
      return `${item} alone`
    },
    isUncertain: (error) => (error as Error).message === 'lost',
  })
  return { gather, batches, alone }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('gathering', () => {
  it('sends the first at once, and what comes meanwhile together', async () => {
    const { gather, batches } = start()
    const answers = ['a', 'b', 'c', 'd', 'e'].map(gather)
    expect(batches.map(({ items }) => items)).toEqual([['a']])
    batches[0]!.end()
    await turn()
    expect(batches[1]!.items).toEqual(['b', 'c', 'd'])
    batches[1]!.end()
    await turn()
    batches[2]!.end()
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!'])
  })

  it('never has two items of one key under way', async () => {
    const { gather, batches } = start({ lanes: 2 })
    const answers = ['a1', 'a2', 'b1', 'b2', 'c1'].map(gather)
    expect(batches.map(({ items }) => items)).toEqual([['a1'], ['b1']])
    batches[1]!.end()
    await turn()
    expect(batches[2]!.items).toEqual(['b2', 'c1'])
    batches[0]!.end()
    await turn()
    expect(batches[3]!.items).toEqual(['a2'])
    for (const batch of batches) batch.end()
    expect(await Promise.all(answers)).toEqual(['a1!', 'a2!', 'b1!', 'b2!', 'c1!'])
  })

  it('does each alone when their batch has failed, and goes on without waiting for them', async () => {
    const { gather, batches, alone } = start()
    const [first, second, third] = ['a', 'b', 'x'].map(gather)
    const refused = expect(third).rejects.toThrow('x cannot be done')
    batches[0]!.end()
    await turn()
    batches[1]!.fail(new Error('one of them'))
    await turn()
    expect(alone).toEqual(['b', 'x'])
    expect(await first).toBe('a!')
    expect(await second).toBe('b alone')
    await refused
    const next = gather('d')
    batches[2]!.end()
    expect(await next).toBe('d!')
  })

  it('does nothing again when it is not known what has become of it', async () => {
    const { gather, batches, alone } = start()
    const lost = expect(gather('a')).rejects.toThrow('lost')
    batches[0]!.fail(new Error('lost'))
    await lost
    expect(alone).toEqual([])
  })
})
