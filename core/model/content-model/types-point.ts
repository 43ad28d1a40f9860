import { z } from 'zod'
import {
  defineExtensionPoint,
  type ElementForms,
  type Finding,
  mergeAddingToLists,
  type Reference,
} from '../../platform/contributions/index.js'
import { modelName } from './names.js'

/** The type at the top of the hierarchy, the only one that extends nothing. */
export const BASE_TYPE = 'Document'

const names = z.array(modelName)

export type TypeContent = z.output<typeof typeContent>

const typeContent = z.strictObject({
  extends: modelName
    .optional()
    .describe(`The type whose schemas and facets it inherits; absent: ${BASE_TYPE}`),
  schemas: names.default([]),
  facets: names.default([]),
  allowedChildren: names.default([]).describe('Types offered for creation below; not enforced'),
  lifecycle: modelName.optional().describe('Absent: that of the type it extends'),
  icon: z.string().optional().describe('Path of a picture: `common:icon` of documents that have none'),
  abstract: z.boolean().default(false).describe('No document has this type itself'),
})

/** Types have two elements: what a document of the type holds, and how user interfaces show and offer it. */
const typeElements: ElementForms = {
  doctype: { keys: { subtypes: 'allowedChildren' }, ignored: ['append', 'prefetch'] },
  type: {
    keys: { subtypes: 'allowedChildren' },
    text: 'lifecycle',
    ignored: [
      ...[
        'coretype',
        'label',
        'description',
        'category',
        'default-view',
        'create-view',
        'edit-view',
        'layouts',
      ],
      ...['contentViews', 'actions', 'bigIcon', 'bigIconExpanded', 'iconExpanded', 'icon-expanded'],
    ],
  },
}

/** Document types. A later contribution adds to the lists of an earlier one. */
export const typesPoint = defineExtensionPoint({
  point: 'types',
  elements: typeElements,
  name: modelName,
  schema: typeContent,
  merge: mergeAddingToLists,
  references: (content) => [
    ...(content.extends === undefined ? [] : [{ path: ['extends'], point: 'types', name: content.extends }]),
    ...(content.lifecycle === undefined
      ? []
      : [{ path: ['lifecycle'], point: 'lifecycles', name: content.lifecycle }]),
    ...each('schemas', content.schemas),
    ...each('facets', content.facets),
    ...each('allowedChildren', content.allowedChildren, 'types'),
  ],
  check: (content, { name, all }) => {
    if (name === BASE_TYPE && content.extends !== undefined) {
      return [{ path: ['extends'], message: `${BASE_TYPE} extends nothing` }]
    }
    return cycle(name, all)
  },
})

const facetContent = z.strictObject({ schemas: names.default([]) })

/** Facets: marks on types or single documents, which may add schemas to them. */
export const facetsPoint = defineExtensionPoint({
  point: 'facets',
  elements: { facet: { ignored: ['perDocumentQuery'] } },
  name: modelName,
  schema: facetContent,
  merge: mergeAddingToLists,
  references: (content) => each('schemas', content.schemas),
})

const each = (key: string, list: readonly string[], point = key): Reference[] =>
  list.map((name, index) => ({ path: [key, index], point, name }))

const cycle = (name: string, all: ReadonlyMap<string, TypeContent>): Finding[] => {
  const seen = [name]
  for (let parent = all.get(name)?.extends; parent !== undefined; parent = all.get(parent)?.extends) {
    if (parent === name)
      return [{ path: ['extends'], message: `extends itself: ${[...seen, name].join(' > ')}` }]
    if (seen.includes(parent)) return []
    seen.push(parent)
  }
  return []
}
