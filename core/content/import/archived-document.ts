import type { Ace } from '../../access/security/index.js'
import { normalizeDate } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { childOf, localName, readXml, textOf, type XmlNode } from './xml-node.js'

/** The fields of one schema, each by its name without a prefix. */
export type ArchivedSchema = { name: string; prefix: string; fields: readonly ArchivedField[] }

export type ArchivedField = { name: string; node: XmlNode }

/** A document of an archive, as transformers change it and the writer takes it. */
export type ArchivedDocument = {
  /** Id that it had where it comes from. */
  id: string
  type: string
  lifecycleState: string | undefined
  facets: readonly string[]
  schemas: readonly ArchivedSchema[]
  /** Its `local` ACL: no other is imported. */
  aces: readonly Ace[]
}

const dateOf = (source: string, text: string | undefined): string | null => {
  if (!text) return null
  const date = normalizeDate(text)
  if (date === undefined) throw fail('badRequest', `${source}: '${text}' of an entry of an ACL is no date`)
  return date
}

const aceOf = (source: string, { attributes }: XmlNode): Ace => ({
  username: attributes.principal ?? '',
  permission: attributes.permission ?? '',
  granted: attributes.grant !== 'false',
  creator: attributes.creator || null,
  begin: dateOf(source, attributes.begin),
  end: dateOf(source, attributes.end),
})

const acesOf = (source: string, system: XmlNode): readonly Ace[] => {
  const acls = childOf(system, 'access-control')?.children ?? []
  return acls
    .filter(({ name, attributes }) => name === 'acl' && attributes.name === 'local')
    .flatMap(({ children }) => children.map((entry) => aceOf(source, entry)))
}

const PREFIX = /^xmlns:(.+)$/

const schemaOf = ({ attributes, children }: XmlNode): ArchivedSchema => {
  const name = attributes.name ?? ''
  const declared = Object.keys(attributes).flatMap((attribute) => PREFIX.exec(attribute)?.[1] ?? [])
  const fields = children.map((node) => ({ name: localName(node.name), node }))
  return { name, prefix: declared[0] ?? name, fields }
}

/**
 * Reads one `document.xml` (blobs-conversions.md §7).
 *
 * @param source the name of the entry, for messages.
 * @param count as of `readXml`.
 * @throws badRequest for what is no such XML.
 */
export const readArchivedDocument = (
  source: string,
  text: string,
  count?: (parts: number) => void,
): ArchivedDocument => {
  const root = readXml(source, text, count)
  const system = childOf(root, 'system')
  const type = textOf(system, 'type')
  if (root.name !== 'document' || !system || type === undefined)
    throw fail('badRequest', `${source}: must be a <document> whose <system> names its <type>`)
  return {
    id: root.attributes.id ?? '',
    type,
    lifecycleState: textOf(system, 'lifecycle-state'),
    facets: system.children.filter(({ name }) => name === 'facet').map((facet) => facet.text.trim()),
    schemas: root.children.filter(({ name }) => name === 'schema').map(schemaOf),
    aces: acesOf(source, system),
  }
}
