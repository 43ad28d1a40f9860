import { describe, expect, test } from 'vitest'
import { brokenConstraints, constraintsOf } from './constraints.js'
import { schemasNamed } from './model.fixture.js'

const fieldAt = (schema: string, name: string) => schemasNamed(schema)[0]!.fields.get(name)!

describe('intervals', () => {
  test.each([
    ['amount', 0, true],
    ['amount', -0.001, false],
    ['amount', 10, true],
    ['amount', 10.5, false],
    ['open', 0, false],
    ['open', 1, true],
    ['open', 10, false],
    ['since', '2000-01-01T00:00:00.000Z', true],
    ['since', '1999-12-31T23:59:59.999Z', false],
    ['until', '1999-12-31T23:59:59.999Z', true],
    ['until', '2000-01-01T00:00:00.000Z', false],
    ['amount', null, true],
  ])('%s may be %j: %s', (name, value, isAllowed) => {
    expect(brokenConstraints(fieldAt('bounded', name), value)).toHaveLength(isAllowed ? 0 : 1)
  })

  test('are reported by the reference platform’s names', () => {
    expect(brokenConstraints(fieldAt('bounded', 'open'), 0)[0]).toEqual({
      message: 'This value must be more than 0 and less than 10',
      constraint: {
        'entity-type': 'validation_constraint',
        name: 'NumericIntervalConstraint',
        parameters: { Minimum: '0', MinimumInclusive: 'false', Maximum: '10', MaximumInclusive: 'false' },
      },
    })
    expect(brokenConstraints(fieldAt('bounded', 'since'), '1990-01-01T00:00:00.000Z')[0]).toMatchObject({
      message: 'This value must be at least 2000-01-01',
      constraint: {
        name: 'DateIntervalConstraint',
        parameters: { Minimum: '2000-01-01', MinimumInclusive: 'true' },
      },
    })
  })
})

describe('what a schema shows of a field', () => {
  const namesOf = (schema: string, name: string) => {
    const { own, ofItems } = constraintsOf(fieldAt(schema, name))
    return [own.map((constraint) => constraint.name), ofItems.map((constraint) => constraint.name)]
  }

  test.each([
    ['strict', 'title', ['NotNullConstraint', 'TypeConstraint'], []],
    ['strict', 'code', ['TypeConstraint', 'PatternConstraint'], []],
    ['strict', 'colors', ['NotNullConstraint', 'TypeConstraint'], ['TypeConstraint', 'EnumConstraint']],
    [
      'bounded',
      'counts',
      ['NotNullConstraint', 'TypeConstraint'],
      ['TypeConstraint', 'NumericIntervalConstraint'],
    ],
    ['linked', 'owner', ['TypeConstraint', 'LengthConstraint', 'userManagerResolver'], []],
    ['linked', 'topics', ['TypeConstraint'], ['TypeConstraint', 'directoryResolver']],
  ])('%s %s', (schema, name, own, ofItems) => {
    expect(namesOf(schema, name)).toEqual([own, ofItems])
  })

  test('parameters are texts', () => {
    const parametersOf = (name: string) => constraintsOf(fieldAt('linked', name)).own.at(-1)!.parameters
    expect(parametersOf('owner')).toEqual({ filter: 'user', includeUsers: 'true', includeGroups: 'false' })
    expect(parametersOf('anyone')).toEqual({ includeUsers: 'true', includeGroups: 'true' })
    expect(parametersOf('loose')).toEqual({ directory: 'topic' })
  })
})
