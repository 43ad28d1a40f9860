import type { FieldType } from '../../content-model/index.js'

/** How the value of a special property compares: see `Kind`. */
export type SpecialKind = 'text' | 'id' | 'number' | 'boolean' | 'date'

const KINDS = {
  'ecm:uuid': 'id',
  'ecm:parentId': 'id',
  'ecm:name': 'text',
  'ecm:primaryType': 'text',
  'ecm:currentLifeCycleState': 'text',
  'ecm:pos': 'number',
  'ecm:isProxy': 'boolean',
  'ecm:isVersion': 'boolean',
  'ecm:isCheckedInVersion': 'boolean',
  'ecm:isCheckedIn': 'boolean',
  'ecm:isLatestVersion': 'boolean',
  'ecm:isLatestMajorVersion': 'boolean',
  'ecm:isTrashed': 'boolean',
  'ecm:versionLabel': 'text',
  'ecm:versionDescription': 'text',
  'ecm:versionCreated': 'date',
  'ecm:versionVersionableId': 'id',
  'ecm:lockOwner': 'text',
  'ecm:lock': 'text',
  'ecm:lockCreated': 'date',
  'ecm:proxyTargetId': 'id',
  'ecm:proxyVersionableId': 'id',
  // Nothing here can be made a record or be held, so these are the same for every document.
  'ecm:isRecord': 'boolean',
  'ecm:hasLegalHold': 'boolean',
  'ecm:retainUntil': 'date',
} as const satisfies { [name: string]: SpecialKind }

/** A special property with one value for each document (reference: nxql-search.md §4). */
export type SpecialProperty = keyof typeof KINDS

export const specialProperties = Object.keys(KINDS) as readonly SpecialProperty[]

export const isSpecialProperty = (name: string): name is SpecialProperty => Object.hasOwn(KINDS, name)

export const specialKind = (name: SpecialProperty): SpecialKind => KINDS[name]

const TYPES: { readonly [kind in SpecialKind]: FieldType } = {
  text: 'string',
  id: 'string',
  number: 'long',
  boolean: 'boolean',
  date: 'date',
}

/** What a special property that has one value holds, in the words of the content model. */
export const specialType = (name: string): FieldType | undefined =>
  isSpecialProperty(name) ? TYPES[KINDS[name]] : undefined
