import { createReport, parseXml, partOf, type XmlPart } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'

/** A document of an export: its type, its name, and its properties by prefixed name. */
export type ExportedDocument = {
  type: string
  name: string
  properties: { readonly [name: string]: XmlPart }
  /** Schemas of variables, by their names. */
  variables: { readonly [schema: string]: readonly XmlPart[] }
}

const childOf = ({ children }: XmlPart, name: string): XmlPart | undefined =>
  children.find((child) => child.name === name)

/** Reads one `document.xml`. @throws badRequest naming the entry and the line. */
export const readExportedDocument = (entry: string, text: string): ExportedDocument => {
  const { report, problems } = createReport()
  const root = parseXml(text, report)
  const [problem] = problems
  if (!root) throw fail('badRequest', `${entry}: line ${problem?.line ?? 1}: ${problem?.message ?? 'no XML'}`)
  return exportedDocument(partOf(root))
}

/** What the element `<document>` of an export says. */
export const exportedDocument = (document: XmlPart): ExportedDocument => {
  const system = childOf(document, 'system')
  const schemas = document.children.filter(({ name }) => name === 'schema')
  const isVariables = ({ attributes }: XmlPart): boolean => /^var_/.test(attributes.name ?? '')
  const path = system ? (childOf(system, 'path')?.text ?? '') : ''
  return {
    type: (system && childOf(system, 'type')?.text) ?? '',
    name: path.split('/').at(-1) ?? '',
    properties: Object.fromEntries(
      schemas
        .filter((schema) => !isVariables(schema))
        .flatMap(({ children }) => children.map((child) => [child.name, child] as const)),
    ),
    variables: Object.fromEntries(
      schemas.filter(isVariables).map(({ attributes, children }) => [attributes.name ?? '', children]),
    ),
  }
}

/** The value of a scalar element; undefined for one that is empty. */
export const textOf = (part: XmlPart | undefined): string | undefined =>
  part && part.text !== '' ? part.text : undefined

export const isTrue = (part: XmlPart | undefined): boolean => part?.text === 'true'

/** The elements of a list. */
export const itemsOf = (part: XmlPart | undefined): readonly XmlPart[] => part?.children ?? []

/** A field of an element of a list, whatever its prefix. */
export const fieldOf = (part: XmlPart, name: string): XmlPart | undefined =>
  part.children.find((child) => child.name.replace(/^.*:/, '') === name)
