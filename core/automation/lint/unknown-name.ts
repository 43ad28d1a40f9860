import type { ContentModel, Field } from '../../model/content-model/index.js'
import { isSpecialName, specialNames } from '../../model/nxql/index.js'
import { suggestion } from '../../platform/contributions/index.js'
import type { NamedProperty, NamedThing, NameKind } from '../language/index.js'
import type { KnownNames } from './types.js'

const NOUNS: { readonly [thing in NamedThing]: string } = {
  documentType: 'document type',
  facet: 'facet',
  lifecycleState: 'life-cycle state',
  transition: 'life-cycle transition',
  permission: 'permission',
  directory: 'directory or vocabulary',
  pageProvider: 'page provider',
  converter: 'converter',
  template: 'template',
  duration: 'duration of business days',
}

const isSingle = ({ isList, type }: Field): boolean => !isList && type !== 'complex' && type !== 'blob'
const isListOfSingles = ({ isList, type }: Field): boolean => isList && type !== 'complex' && type !== 'blob'
const holdsFiles = ({ type, fields }: Field): boolean =>
  type === 'blob' || (type === 'complex' && fields.some(holdsFiles))

const MISFITS: {
  readonly [kind in NamedProperty]?: { fits(field: Field): boolean; message: string }
} = {
  singleProperty: {
    fits: isSingle,
    message: 'does not hold a single value; Document.Update sets lists and maps',
  },
  listProperty: { fits: isListOfSingles, message: 'does not hold a list of single values' },
  fileProperty: { fits: holdsFiles, message: 'holds no file' },
}

const propertyNames = ({ schemas }: ContentModel): string[] =>
  [...schemas.values()].flatMap(({ prefix, hasPrefix, fields }) =>
    [...fields.keys()].map((field) => (hasPrefix ? `${prefix}:${field}` : field)),
  )

/** The properties that a prefix has, or the prefix that is meant. */
const propertyHint = (xpath: string, model: ContentModel): string => {
  const near = suggestion(xpath, propertyNames(model))
  const [head = '', local] = xpath.split(':')
  if (near !== '' || local !== undefined) return near
  const prefixed = propertyNames(model).filter((name) => name.endsWith(`:${head}`))
  return prefixed[0] === undefined ? '' : `, did you mean "${prefixed[0]}"?`
}

/** The same of a property alone. */
export const unknownProperty = (
  kind: NamedProperty,
  xpath: string,
  { model }: Pick<KnownNames, 'model'>,
): string | undefined => {
  if (kind === 'queryField' && xpath.startsWith('ecm:'))
    return isSpecialName(xpath)
      ? undefined
      : `queries know no property "${xpath}"${suggestion(xpath, specialNames())}`
  const resolved = model.resolve(xpath.trim())
  if (!resolved) return `no schema has the property "${xpath}"${propertyHint(xpath, model)}`
  const misfit = MISFITS[kind]
  return misfit && !misfit.fits(resolved.field) ? `"${xpath}" ${misfit.message}` : undefined
}

const PROPERTIES: readonly string[] = [
  'property',
  'singleProperty',
  'listProperty',
  'fileProperty',
  'queryField',
] satisfies NamedProperty[]

const isProperty = (kind: NameKind): kind is NamedProperty => PROPERTIES.includes(kind)

/** Other texts are templates themselves. */
const templateNamed = (text: string): string | undefined => /^template:(.*)$/.exec(text)?.[1]

/**
 * What is said of a name that nothing configured has, with the one that was probably meant; undefined for one that
 * is known. What is missing may still be deployed, so that it is for a warning.
 */
export const unknownName = (kind: NameKind, name: string, names: KnownNames): string | undefined => {
  if (name.trim() === '') return undefined
  if (isProperty(kind)) return unknownProperty(kind, name, names)
  const named = kind === 'template' ? templateNamed(name) : name
  if (named === undefined) return undefined
  const known = names.of(kind)
  return known.has(named) ? undefined : `there is no ${NOUNS[kind]} "${named}"${suggestion(named, known)}`
}
