import { expect, test } from 'vitest'
import { enrichersByName } from '../../api/rest/rendering/enrichers/registry.js'
import { contributedEnricher, ENRICHER_CLASSES, enrichersPoint } from '../../core/content/enrichers/index.js'
import { mergeContributions } from '../../core/platform/contributions/index.js'

const contributed = (text: string) => mergeContributions([{ file: 'test.yaml', text }], [enrichersPoint])

test('every enricher may be contributed to, and there is no other', () => {
  const names = new Set([...enrichersByName.values()].map(({ name }) => name))
  expect(Object.keys(ENRICHER_CLASSES).sort()).toEqual([...names].sort())
})

test.each([
  ['class: permissions, parameters: {permissions: [Read, Write]}'],
  ['class: permissions, parameter: {permissions: "Read, Write"}'],
  [
    'class: org.nuxeo.ecm.core.io.marshallers.json.enrichers.BasePermissionsJsonEnricher, parameter: {permissions: "Read,Write"}',
  ],
])('a name stands for an enricher with its parameters: {%s}', (content) => {
  expect(contributedEnricher(contributed(`enrichers: {mine: {${content}}}`), 'mine')).toEqual({
    enricher: 'permissions',
    parameters: { permissions: ['Read', 'Write'] },
  })
})

test.each([
  ['{mine: {class: com.acme.MyEnricher}}', /class: there is no enricher "com.acme.MyEnricher"/],
  ['{permission: {}}', /there is no enricher "permission", did you mean "permissions"/],
])('an unknown enricher is refused: %s', (content, message) => {
  expect(() => contributed(`enrichers: ${content}`)).toThrow(message)
})
