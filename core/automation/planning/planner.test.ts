import { expect, test } from 'vitest'
import { createRegistry, type Operation } from '../language/index.js'
import { signaturesOf } from './describe-plan.js'
import { chainOfOne, planChain } from './planner.js'
import { chainOf, say } from './registry.fixture.js'

const inner = chainOf('inner', 'Test.Say')
const middle = chainOf('middle', 'inner')
const registry = createRegistry([say], [inner, middle])

test.each([
  ['a chain of operations', chainOf('outer', 'Test.Say'), []],
  ['a chain of chains', chainOf('outer', 'middle', 'Test.Say'), ['inner', 'middle']],
  ['a chain of one operation, whose id it has', chainOfOne(say, {}), []],
])('%s carries the chains that it calls and not itself', (_, chain, called) => {
  expect(Object.keys(planChain(chain, registry).chains).sort()).toEqual(called)
})

test('a chain that calls itself by others is refused', () => {
  const circle = createRegistry([say], [chainOf('inner', 'outer'), middle, chainOf('outer', 'middle')])
  expect(() => planChain(chainOf('outer', 'middle'), circle)).toThrow('calls itself')
})

test('what is known of a chain is found out once for each registry, however often others call it', () => {
  let looks = 0
  const counted: Operation = {
    ...say,
    get methods() {
      looks++
      return say.methods
    },
  }
  const chains = [chainOf('level 0', 'Test.Say')]
  for (let level = 1; level <= 10; level++)
    chains.push(chainOf(`level ${level}`, `level ${level - 1}`, `level ${level - 1}`))
  const levels = createRegistry([counted], chains)
  const [top] = chains.slice(-1)
  expect(signaturesOf(top!, levels)).toContainEqual({ input: 'void', output: 'void' })
  signaturesOf(top!, levels)
  expect(looks).toBe(1)
})
