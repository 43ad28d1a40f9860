import { expect, it } from 'vitest'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { versionLabel } from './version-label.js'

it.each<[string, Partial<DocumentRecord>]>([
  ['0.0', {}],
  ['1.0', { majorVersion: 1, isCheckedIn: true }],
  ['1.0+', { majorVersion: 1 }],
  ['0.1+', { minorVersion: 1 }],
  ['0.1', { minorVersion: 1, isCheckedIn: true }],
  ['2.3', { majorVersion: 2, minorVersion: 3, isVersion: true }],
])('%s', (label, document) => {
  const plain = { majorVersion: 0, minorVersion: 0, isVersion: false, isCheckedIn: false }
  expect(versionLabel({ ...plain, ...document } as DocumentRecord)).toBe(label)
})
