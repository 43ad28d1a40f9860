import { expect, test } from 'vitest'
import type { ChainDefinition } from '../chains/chain.js'
import type { Operation } from './operation.js'
import { createRegistry } from './registry.js'
import { unknownFilter } from './unknown-filter.js'

const operation = { id: 'Blob.ToPDF', aliases: ['Blob.ToPdf'] } as unknown as Operation
const chain = { id: 'approve-all', aliases: ['approve'] } as unknown as ChainDefinition
const registry = createRegistry([operation], [chain])

test.each([
  ['Blob.ToPDF', undefined],
  ['Chain.approve-all', undefined],
  ['Blob.ToPdf', 'the filter of this operation is called "Blob.ToPDF"'],
  ['approve-all', 'the filter of this chain is called "Chain.approve-all"'],
  ['approve', 'the filter of this chain is called "Chain.approve-all"'],
  [
    'Chain.approve-al',
    'there is no operation or chain "Chain.approve-al", did you mean "Chain.approve-all"?',
  ],
  ['Quite.Other', 'there is no operation or chain "Quite.Other"'],
])('a filter %s', (name, expected) => {
  const findings = unknownFilter(name, registry)
  expect(findings.map(({ message }) => message)).toEqual(
    expected === undefined ? [] : [`nobody is kept from anything: ${expected}`],
  )
})
