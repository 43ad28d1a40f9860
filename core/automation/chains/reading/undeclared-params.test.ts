import { expect, test } from 'vitest'
import { createRegistry } from '../../language/index.js'
import { scriptedOperation } from '../../scripted-operations/index.js'
import { findingsOfChain } from '../checking/check-chain.js'
import { chainOf, testOperations } from '../registry.fixture.js'

const reported = (script: string): string[] => {
  const scripted = scriptedOperation({ id: 'My.Script', aliases: [], category: 'Test', params: [], script })
  const registry = createRegistry([...testOperations, scripted], [])
  const chain = chainOf(
    'demo',
    '- My.Script: {title: x}\n- RunOperation: {id: My.Script, parameters: {title: x}}\n',
  )
  return findingsOfChain({ chain, registry }).map(({ message }) => message)
}

test.each([
  'function run(input, params) { return params.title }',
  'function run(input, params) { var name = "title"; return params[name] }',
  'function run(input, params) { return other(params) } function other(all) { return all }',
])('%s may read what it does not declare', (script) => {
  expect(reported(script)).toEqual([])
})

test('what a script never mentions is a typo', () => {
  expect(reported('function run(input, params) { return params.titel }')).toEqual([
    'unknown parameter "title" of My.Script; it declares none',
    'unknown parameter "title" of My.Script; it declares none',
  ])
})
