import type { ValuePlace } from '../../../core/model/nxql/index.js'
import { MAX_KEYWORD } from '../mapping/index.js'

/** Special properties whose field holds what NXQL compares, under the same name. */
const SPECIAL: ReadonlySet<string> = new Set([
  'ecm:uuid',
  'ecm:parentId',
  'ecm:name',
  'ecm:primaryType',
  'ecm:currentLifeCycleState',
  'ecm:pos',
  'ecm:isProxy',
  'ecm:isVersion',
])

/** The field of a value; undefined where an entry cannot tell what is asked. */
export const fieldOf = ({ source, isDay }: ValuePlace): string | undefined => {
  if (isDay) return undefined
  if (source.kind === 'special') return SPECIAL.has(source.name) ? source.name : undefined
  if (source.kind !== 'property') return undefined
  const names = source.steps.flatMap((step) => (step.kind === 'field' ? [step.name] : []))
  return names.length === source.steps.length ? [source.key, ...names].join('.') : undefined
}

/** What a field holds for a value of NXQL; undefined for one that it may not hold as it is. */
export const termOf = (value: string, { type }: ValuePlace): string | number | boolean | undefined => {
  switch (type) {
    case 'text':
      return value.length <= MAX_KEYWORD ? value : undefined
    case 'id':
      return /^[0-9a-f-]{36}$/.test(value) ? value : undefined
    case 'number':
      return /^-?\d{1,15}$/.test(value) ? Number(value) : undefined
    case 'boolean':
      return value === 'true'
    default:
      return undefined
  }
}
