import { refuse, type Test } from '../../../../core/model/nxql/index.js'
import { isUuid } from '../../../../core/model/properties/index.js'
import type { Context } from '../context.js'
import { DOCUMENT, DOCUMENTS, d } from '../places/names.js'

type Of<Kind extends Test['kind']> = Extract<Test, { kind: Kind }>

export const pathText = ({ path, negated }: Of<'isAt'>, { binder }: Context): string =>
  `${d.path} ${negated ? 'IS DISTINCT FROM' : '='} ${binder.bind(path, 'text')}`

/** A folder's subtree is one range of the index on `path`: `/` is followed by `0` in byte order. */
export const belowText = ({ folder, negated }: Of<'isBelow'>, { binder: { bind } }: Context): string => {
  const under =
    folder === null
      ? 'FALSE'
      : `(${d.path} > ${bind(`${folder}/`, 'text')} AND ${d.path} < ${bind(`${folder}0`, 'text')})`
  return negated ? `${under} IS NOT TRUE` : under
}

export const belowIdText = ({ id, negated, reference }: Of<'isBelowId'>, context: Context): string => {
  if (!isUuid(id)) return negated ? 'TRUE' : 'FALSE'
  if (!context.ancestors(1)) throw refuse('too many conditions on ecm:ancestorId', reference.offset)
  const bound = context.binder.bind(id, 'uuid')
  const end = (character: string) =>
    `(SELECT rtrim(ancestor.${DOCUMENT.path}, '/') || '${character}' FROM ${DOCUMENTS} ancestor WHERE ancestor.${DOCUMENT.id} = ${bound})`
  const under = `(${d.path} > ${end('/')} AND ${d.path} < ${end('0')})`
  return negated ? `${under} IS NOT TRUE` : under
}

export const facetText = ({ types, own, negated }: Of<'hasFacet'>, { binder }: Context): string => {
  const byType = `${d.type} = ANY(${binder.bind([...types], 'text[]')})`
  const has = own.length === 0 ? byType : `${byType} OR ${d.facets} && ${binder.bind([...own], 'text[]')}`
  return negated ? `NOT (${has})` : `(${has})`
}
