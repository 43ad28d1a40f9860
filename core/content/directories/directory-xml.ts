import { type ElementForms, newPart, withChildren, type XmlPart } from '../../platform/contributions/index.js'

const renamed = (part: XmlPart, from: string, to: string): XmlPart => {
  const { [from]: value, ...attributes } = part.attributes
  return value === undefined ? part : { ...part, attributes: { ...attributes, [to]: value } }
}

/** What it points to; where the incumbent keeps that in its database is not said here. */
const reference = (part: XmlPart): XmlPart => {
  const { field = '', directory = '', dualReferenceField } = part.attributes
  return newPart('reference', part, {
    attributes: {
      name: field,
      directory,
      ...(dualReferenceField !== undefined && { inverseOf: dualReferenceField }),
    },
  })
}

const constraint = (part: XmlPart): XmlPart => {
  const written = (name: string): string =>
    part.children.find(({ attributes }) => attributes.name === name)?.text ?? ''
  const attributes = { directory: written('targetDirectory'), field: written('targetDirectoryField') }
  return newPart('deleteConstraint', part, { attributes })
}

/** `<permission name="Read">` as the element that it names. */
const permission = (part: XmlPart): XmlPart =>
  newPart(part.attributes.name ?? '', part, { children: part.children })

const REWRITING: { readonly [element: string]: (part: XmlPart) => XmlPart } = {
  references: (part) => withChildren(part, reference),
  deleteConstraints: (part) => withChildren(part, constraint),
  deleteConstraint: constraint,
  permissions: (part) => withChildren(part, permission),
  filters: (part) => withChildren(part, (filter) => renamed(filter, 'column', 'name')),
  source: (part) => withChildren(part, (sub) => withChildren(sub, (field) => renamed(field, 'for', 'name'))),
}

/** Directories as the incumbent writes them (reference: security.md §8). */
export const directoryElements: ElementForms = {
  directory: {
    ignored: [
      ...['class', 'dataSource', 'table', 'nativeCase', 'negativeCaching'],
      ...['cacheEntryName', 'cacheEntryWithoutReferencesName'],
    ],
    rewrite: (part) => withChildren(part, (child) => REWRITING[child.name]?.(child) ?? child),
  },
}
