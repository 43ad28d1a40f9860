import { describe, expect, test, vi } from 'vitest'
import { principalOf } from '../../access/security/index.js'
import { executeOnce, executeOnceForKey, requireSameCall } from './execute-once.js'
import { createMemoryUnits } from './memory.fixture.js'

const ANN = principalOf('ann', [], false)
const key = { workflowId: 'run', step: '1' }
const place = { principal: ANN, key }

describe('work that is done once', () => {
  test('is recorded in its own transaction, with what is written at the end of it', async () => {
    const { units, kept } = createMemoryUnits()
    const result = await executeOnce(units, place, {
      work: async ({ transient }) => {
        await transient.put('done', true)
        return { answer: 42 }
      },
      committing: async ({ transient }) => transient.put('written', true),
    })
    expect(result).toEqual({ answer: 42 })
    expect([...kept().receipts]).toEqual([['run/1', { answer: 42 }]])
    expect([...kept().values.keys()]).toEqual(['done', 'written'])
  })

  test('is answered by the first, and leaves nothing of the second', async () => {
    const { units, kept } = createMemoryUnits()
    await executeOnce(units, place, { work: async () => ({ attempt: 1 }) })
    const committing = vi.fn()
    const work = vi.fn(
      async ({ transient }: { transient: { put(key: string, value: boolean): Promise<void> } }) => {
        await transient.put('second', true)
        return { attempt: 2 }
      },
    )
    expect(await executeOnce(units, place, { work, committing })).toEqual({ attempt: 1 })
    expect([...kept().values.keys()]).toEqual([])
    expect(work).toHaveBeenCalledOnce()
    expect(committing).not.toHaveBeenCalled()
  })

  test('is not begun where it is known to come again', async () => {
    const { units } = createMemoryUnits()
    const repeated = { principal: ANN, key: { ...key, isRepeated: true } }
    const work = vi.fn(async () => ({ attempt: work.mock.calls.length }))
    expect(await executeOnce(units, repeated, { work })).toEqual({ attempt: 1 })
    expect(await executeOnce(units, repeated, { work })).toEqual({ attempt: 1 })
    expect(work).toHaveBeenCalledOnce()
  })

  test('throws what it fails with, unless another attempt has done it meanwhile', async () => {
    const { units, kept } = createMemoryUnits()
    const failing = {
      work: async () => {
        throw new Error('It is broken')
      },
    }
    await expect(executeOnce(units, place, failing)).rejects.toThrow('It is broken')
    expect(kept().receipts.size).toBe(0)
    await executeOnce(units, place, { work: async () => ({ attempt: 1 }) })
    expect(await executeOnce<object>(units, place, failing)).toEqual({ attempt: 1 })
  })

  test('does before its commit what it asks for', async () => {
    const { units, kept } = createMemoryUnits()
    await executeOnce(units, place, {
      work: async ({ transient }, beforeCommit) => {
        beforeCommit(() => transient.put('late', true))
        return {}
      },
    })
    expect(kept().values.get('late')).toBe(true)
  })
})

describe('a call under a key', () => {
  const called = { ...key, fingerprint: 'one' }

  test('is answered from then on by what it came to', async () => {
    const { units } = createMemoryUnits()
    const work = vi.fn(async () => ({ id: work.mock.calls.length }))
    const answer = { id: 1, fingerprint: 'one' }
    expect(await executeOnceForKey(units, { principal: ANN, key: called }, work)).toEqual(answer)
    expect(await executeOnceForKey(units, { principal: ANN, key: called }, work)).toEqual(answer)
  })

  test('is refused for another call', async () => {
    const { units } = createMemoryUnits()
    await executeOnceForKey(units, { principal: ANN, key: called }, async () => ({}))
    const other = executeOnceForKey(
      units,
      { principal: ANN, key: { ...called, fingerprint: 'two' } },
      async () => ({}),
    )
    await expect(other).rejects.toMatchObject({
      code: 'conflict',
      message: 'Idempotency-Key: it was used for another request before',
    })
  })

  test('is compared where a fingerprint was recorded', () => {
    expect(requireSameCall({}, called)).toBeUndefined()
    expect(requireSameCall({ fingerprint: 'one' }, called)).toBeUndefined()
    expect(() => requireSameCall({ fingerprint: 'two' }, called)).toThrow('another request')
  })
})
