import {
  type ElementForm,
  type ElementForms,
  newPart,
  withChildren,
  type XmlPart,
} from '../../platform/contributions/index.js'

/** An attribute of an element becomes an element beside it. */
const beside = (part: XmlPart, attribute: string, name = attribute): readonly XmlPart[] => {
  const text = part.attributes[attribute]
  return text === undefined ? [] : [newPart(name, part, { text })]
}

/** Properties of the incumbent's Java, without a meaning here. */
const OF_JAVA = ['coreSession', 'checkQueryCache', 'detachDocuments', 'searchAllRepositories']

/** `<property name="x">` as the element that it names. */
const property = (part: XmlPart): XmlPart | readonly XmlPart[] => {
  if (part.name !== 'property') return part
  const { name = '' } = part.attributes
  return OF_JAVA.includes(name) ? [] : newPart(name, part, { text: part.text })
}

/** A property of the search document, named by its schema and field, or by its xpath. */
const fieldName = ({ attributes: { xpath, schema, name = '' }, text }: XmlPart): string => {
  if (xpath !== undefined || name === '') return xpath ?? text
  return schema === undefined ? name : `${schema}:${name}`
}

const predicate = (part: XmlPart): XmlPart =>
  withChildren(part, (child) =>
    child.name === 'field' ? newPart('field', child, { text: fieldName(child) }) : child,
  )

const whereClause = (part: XmlPart): readonly XmlPart[] => {
  const { docType: _, ...attributes } = part.attributes
  const regular = withChildren({ ...part, attributes }, (child) => {
    if (child.name === 'predicate') return predicate(child)
    if (child.name !== 'fixedPart') return child
    const fixedPart = newPart('fixedPart', child, { text: child.text })
    return [fixedPart, ...beside(child, 'statement'), ...beside(child, 'quoteParameters')]
  })
  return [regular, ...beside(part, 'docType', 'searchDocumentType')]
}

const aggregate = (part: XmlPart): XmlPart => {
  const { parameter = '', ...attributes } = part.attributes
  return withChildren({ ...part, attributes: { ...attributes, field: parameter } }, (child) => {
    if (child.name === 'field') return newPart('selection', child, { text: fieldName(child) })
    return child.name === 'properties' ? withChildren(child, property) : child
  })
}

const pattern = (part: XmlPart): readonly XmlPart[] => [
  newPart('pattern', part, { text: part.text }),
  ...beside(part, 'quoteParameters'),
]

const rewriteChild = (child: XmlPart): XmlPart | readonly XmlPart[] => {
  if (child.name === 'pattern') return pattern(child)
  if (child.name === 'whereClause') return whereClause(child)
  if (child.name === 'aggregates') return withChildren(child, aggregate)
  return property(child)
}

const provider: ElementForm = {
  keys: { fromDate: 'from', toDate: 'to' },
  ignored: ['class', 'escaper', 'escape', 'escapeParameters', 'operatorSchema'],
  rewrite: (part) => withChildren(part, rewriteChild),
}

/** A class of the incumbent's search engine says what answers. */
const generic: ElementForm = {
  ...provider,
  rewrite: ({ attributes, ...part }) => {
    const isIndexed = /Elastic|NxqlSearch|EsNative/i.test(attributes.class ?? '')
    return withChildren(
      { ...part, attributes: { ...attributes, ...(isIndexed && { backend: 'index' }) } },
      rewriteChild,
    )
  },
}

/** Page providers as the incumbent writes them (nxql-search.md §8.1 to §8.3). */
export const providerElements: ElementForms = {
  coreQueryPageProvider: provider,
  genericPageProvider: generic,
}
