import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SYSTEM } from '../../../access/security/index.js'
import { fail } from '../../errors/index.js'
import type { DeployCall } from './deployments.js'
import { examineTogether } from './examine-together.js'
import { type Deployed, NOTHING_DEPLOYED } from './feed.js'
import type { PointHandler } from './point-handler.js'

const COUNT = 200

const call = (index: number, text: string): DeployCall => ({
  ...{ principal: SYSTEM, point: 'types', name: `T${index}`, format: 'yaml', text },
  ...{ precondition: {}, source: index },
})

/** Each but the last needs the next one, whatever its text says. */
const examining = (calls: readonly DeployCall[]) => {
  const tried: string[] = []
  const examine = async (one: DeployCall, deployed: Deployed) => {
    tried.push(one.name)
    const next = `T${Number(one.name.slice(1)) + 1}`
    if (next !== `T${COUNT}` && !deployed.of('types').has(next)) throw fail('invalid', `no ${next}`)
    return { call: one, content: {}, before: undefined, unchanged: undefined, plan: {}, warnings: [] }
  }
  const handlerOf = () => ({}) as PointHandler
  return { tried, done: examineTogether(calls, { deployed: NOTHING_DEPLOYED, handlerOf, examine }) }
}

const all = (textOf: (next: string) => string): DeployCall[] =>
  Array.from({ length: COUNT }, (_, index) => call(index, textOf(`T${index + 1}`)))

test.each([
  ['a value', (next: string) => `extends: ${next}\n`],
  ['a key', (next: string) => `fields: { ${next}: string }\n`],
  ['a list, quoted', (next: string) => `schemas: ["${next}"]\n`],
  ['a word of a text', (next: string) => `query: SELECT * FROM ${next} WHERE a = 1\n`],
  ['an alias', (next: string) => `a: &x [${next}]\nb: [*x, *x]\n`],
])('texts that name the next by %s are tried once each, and come as they were given', async (_, textOf) => {
  const calls = all(textOf)
  const { tried, done } = examining(calls)
  expect((await done).map(({ call: { name } }) => name)).toEqual(calls.map(({ name }) => name))
  expect(tried).toHaveLength(COUNT)
})

test('what texts do not name is not tried for ever', async () => {
  const { tried, done } = examining(all(() => 'a: b\n'))
  await expect(done).rejects.toMatchObject({ code: 'invalid' })
  expect(tried.length).toBeLessThanOrEqual(3 * COUNT + 50)
})

test('what texts do not name is found all the same, where it is little', async () => {
  const { done } = examining(all(() => 'a: b\n').slice(-8))
  expect(await done).toHaveLength(8)
})

test('texts that name one another in a circle are tried, and reported', async () => {
  const calls = [call(1, 'extends: T2\n'), call(2, 'extends: [T1, T3]\n')]
  await expect(examining(calls).done).rejects.toMatchObject({ code: 'invalid' })
})

test('others are answered between any two texts', async () => {
  let turns = 0
  let isDone = false
  const { done } = examining(all((next) => `extends: ${next}\n`))
  const counting = (async () => {
    for (; !isDone; turns++) await setImmediate()
  })()
  await done
  isDone = true
  await counting
  expect(turns).toBeGreaterThan(COUNT / 2)
})
