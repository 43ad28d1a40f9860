import { expect, test, vi } from 'vitest'
import { createWriteBudget, type WriteLedger } from './write-budget.js'

const MEBI = 1024 * 1024
const ANN = { name: 'ann', isAdministrator: false }
const BOB = { name: 'bob', isAdministrator: false }

/** Forgets nothing. */
const ledger = () => {
  const used = new Map<string, number>()
  const take = vi.fn<WriteLedger['take']>(async (username, characters, budget) => {
    await Promise.resolve()
    const sum = (used.get(username) ?? 0) + characters
    if (sum > budget) return false
    used.set(username, sum)
    return true
  })
  return { take, used }
}

const REFUSED = {
  code: 'insufficientStorage',
  message: expect.stringContaining('ann would have written more than the'),
}

test('administrators are not counted', () => {
  const budget = createWriteBudget(ledger(), MEBI)
  expect(budget.of({ name: 'root', isAdministrator: true })).toBeUndefined()
})

test('small writes ask the ledger once for many', async () => {
  const { take } = ledger()
  const account = createWriteBudget({ take }, 100 * MEBI).of(ANN)!
  for (let n = 0; n < 1_000; n++) await account.spend(1_000)
  expect(take).toHaveBeenCalledOnce()
})

test('a user may write the whole budget, and no more, whatever others write', async () => {
  const { take, used } = ledger()
  const budget = createWriteBudget({ take }, 10 * MEBI)
  const account = budget.of(ANN)!
  for (let n = 0; n < 10; n++) await account.spend(MEBI)
  await expect(account.spend(1)).rejects.toMatchObject(REFUSED)
  expect(used.get('ann')).toBe(10 * MEBI)
  await budget.of(BOB)!.spend(10 * MEBI)
  await expect(budget.of(ANN)!.spend(11 * MEBI)).rejects.toMatchObject(REFUSED)
})

test('processes share the budget', async () => {
  const { take } = ledger()
  const [here, there] = [1, 2].map(() => createWriteBudget({ take }, 10 * MEBI).of(ANN)!)
  await here!.spend(6 * MEBI)
  await expect(there!.spend(6 * MEBI)).rejects.toMatchObject(REFUSED)
})

test('of writes at the same time those are refused for which nothing is left', async () => {
  const { take } = ledger()
  const account = createWriteBudget({ take }, 10 * MEBI).of(ANN)!
  const results = await Promise.allSettled([20, 3, 3, 3, 3].map((mebis) => account.spend(mebis * MEBI)))
  expect(results.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
})

test('a ledger that cannot be asked fails the write, and is asked again', async () => {
  const { take } = ledger()
  const account = createWriteBudget({ take }, MEBI).of(ANN)!
  take.mockRejectedValueOnce(new Error('no connection'))
  await expect(account.spend(1)).rejects.toThrow('no connection')
  await account.spend(1)
})

test('what is owed is paid by what is spent next', async () => {
  const { take, used } = ledger()
  const account = createWriteBudget({ take }, 10 * MEBI).of(ANN)!
  account.owe(9 * MEBI)
  expect(take).not.toHaveBeenCalled()
  await expect(account.spend(2 * MEBI)).rejects.toMatchObject(REFUSED)
  await account.spend(MEBI)
  expect(used.get('ann')).toBe(10 * MEBI)
  account.owe(-MEBI)
  await account.spend(MEBI)
  await expect(account.spend(1)).rejects.toMatchObject(REFUSED)
})

test('what is owed may be more than the budget, and is paid as that comes back', async () => {
  const { take, used } = ledger()
  const account = createWriteBudget({ take }, 10 * MEBI).of(ANN)!
  account.owe(15 * MEBI)
  await expect(account.spend(1)).rejects.toMatchObject(REFUSED)
  expect(used.get('ann')).toBe(10 * MEBI)
  used.set('ann', 5 * MEBI)
  await expect(account.spend(1)).rejects.toMatchObject(REFUSED)
  expect(used.get('ann')).toBe(10 * MEBI)
  used.set('ann', 0)
  await account.spend(MEBI)
})
