import type { Source, ValuePlace } from '../../../../core/model/nxql/index.js'
import type { Context } from '../context.js'
import { asJson, elementsOf, type JsonPath } from './json-path.js'
import { d } from './names.js'
import type { SqlPlace } from './place.js'
import { jsonScalar } from './scalar.js'
import { type Table, tableOfElements } from './tables.js'

type Property = Extract<Source, { kind: 'property' }>

/** Follows the steps from the document's properties; a wildcard goes on from the elements of its list. */
const follow = ({ key, steps }: Property, offset: number, context: Context) => {
  const wildcards: Table[] = []
  let path: JsonPath = { base: d.properties, steps: [key] }
  let isCorrelated = false
  for (const step of steps) {
    if (step.kind === 'field' || step.kind === 'index') {
      path = { ...path, steps: [...path.steps, step.kind === 'field' ? step.name : step.index] }
      continue
    }
    const list = path
    let alias: string
    if (step.kind === 'any') {
      alias = context.alias()
      wildcards.push(tableOfElements(list, alias))
    } else {
      isCorrelated = true
      alias = context.correlations.variable(step.xpath, offset, (name) => tableOfElements(list, name))
    }
    path = { base: `${alias}.value`, steps: [] }
  }
  return { wildcards, isCorrelated, path }
}

const containing = ({ key, steps }: Property, isList: boolean): SqlPlace['containing'] => {
  if (steps.some(({ kind }) => kind === 'index')) return null
  const names = [
    key,
    ...steps.map((step) => (step.kind === 'field' ? step.name : null)),
    ...(isList ? [null] : []),
  ]
  return (value) =>
    names.reduceRight(
      (inner: string, name) => (name === null ? `[${inner}]` : `{${JSON.stringify(name)}:${inner}}`),
      value,
    )
}

export const propertyPlace = (
  property: Property,
  { isList, type, reference: { offset } }: ValuePlace,
  context: Context,
): SqlPlace => {
  const { wildcards, isCorrelated, path } = follow(property, offset, context)
  const alias = isList ? context.alias() : undefined
  return {
    scalar: jsonScalar(alias === undefined ? path : { base: `${alias}.value`, steps: [] }, type),
    wildcards,
    list: alias === undefined ? null : elementsOf(path, alias),
    isCorrelated,
    containing: containing(property, isList),
    json: asJson(path),
  }
}
