import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createConnectionLimit, SHARES } from './limit.js'

const LONG = 600_000

/** A limit, and what becomes of those who take shares of it, in order. */
const start = ({ connections = 1, waitTimeoutMs = LONG } = {}) => {
  const limit = createConnectionLimit({ connections, waitTimeoutMs })
  const log: string[] = []
  const take = (name: string, shares: number): void =>
    limit.take(
      shares,
      () => log.push(name),
      ({ message }) => log.push(`${name}: ${message}`),
    )
  return { limit, log, take }
}

const REFUSED = 'All connections to the database were in use for too long'

describe('the limit of connections', () => {
  test('lets in at once whoever finds enough free', () => {
    const { log, take } = start({ connections: 2 })
    take('transaction', SHARES)
    take('statement', 1)
    expect(log).toEqual(['transaction', 'statement'])
  })

  test('lets statements share one connection, and transactions none', async () => {
    const { limit, log, take } = start()
    for (let n = 1; n <= SHARES; n++) take(`statement ${n}`, 1)
    expect(log).toHaveLength(SHARES)
    take('transaction', SHARES)
    for (let n = 1; n < SHARES; n++) limit.release(1)
    await sleep(0)
    expect(log).toHaveLength(SHARES)
    limit.release(1)
    await sleep(0)
    expect(log.at(-1)).toBe('transaction')
  })

  test('lets as many statements share a connection as it is set to', () => {
    const limit = createConnectionLimit({ connections: 2, waitTimeoutMs: LONG, shares: 3 })
    const log: number[] = []
    for (let n = 1; n <= 7; n++)
      limit.take(
        1,
        () => log.push(n),
        () => undefined,
      )
    expect(log).toEqual([1, 2, 3, 4, 5, 6])
    expect(limit.state()).toEqual({ size: 2, inUse: 2, waiting: 1 })
    limit.release(1)
  })

  test('keeps the order, also where one behind needs less', async () => {
    const { limit, log, take } = start({ connections: 2 })
    take('first', SHARES)
    take('statement', 1)
    take('second', SHARES)
    take('behind', 1)
    expect(log).toEqual(['first', 'statement'])
    limit.release(SHARES)
    await sleep(0)
    expect(log).toEqual(['first', 'statement', 'second', 'behind'])
  })

  test('begins those who wait after whoever gives back is done', async () => {
    const { limit, log, take } = start()
    take('first', SHARES)
    take('second', SHARES)
    limit.release(SHARES)
    log.push('done')
    await sleep(0)
    expect(log).toEqual(['first', 'done', 'second'])
  })

  test('refuses whoever waits for too long, and lets in those behind who need less', async () => {
    const { limit, log, take } = start({ waitTimeoutMs: 20 })
    take('statement', 1)
    take('transaction', SHARES)
    await sleep(10)
    take('behind', 1)
    await expect.poll(() => log).toEqual(['statement', `transaction: ${REFUSED}`, 'behind'])
    limit.release(1)
    limit.release(1)
    take('next', SHARES)
    expect(log.at(-1)).toBe('next')
  })
})
