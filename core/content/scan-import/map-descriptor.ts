import { resolve } from 'node:path'
import { normalizeDate, type Properties, setProperty } from '../../model/properties/index.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import { parseByPattern } from '../../platform/patterns/index.js'
import type { Session } from '../documents/index.js'
import {
  type FileReading,
  importablePath,
  type Metadata,
  storeServerFile,
  withTexts,
} from '../folder-import/index.js'
import type { XmlNode } from '../import/index.js'
import { elementsAt } from './element-path.js'
import type { ScanMapping } from './scan-points.js'

type FieldMapping = ScanMapping['fieldMappings'][number]
type BlobMapping = ScanMapping['blobMappings'][number]

/** What the mapping of a descriptor needs. @property folders those below which files may be read. */
export type MappingContext = {
  session: Pick<Session, 'model'>
  files: FileReading
  folders: readonly string[]
  warn: (message: string) => void
}

const TEXT = 'TEXT'

const read = (node: XmlNode, attribute: string): string | undefined =>
  attribute === TEXT ? node.text.trim() : node.attributes[attribute]

/** The one element of a path; undefined, with a warning, for none and for several. */
const oneAt = (root: XmlNode, path: string, { warn }: Pick<MappingContext, 'warn'>): XmlNode | undefined => {
  const found = elementsAt(root, path)
  if (found.length !== 1) warn(`${path} is ${found.length} elements instead of one, and is left out`)
  return found.length === 1 ? found[0] : undefined
}

const dateOf = (text: string, format: string | undefined): string | undefined =>
  format === undefined ? normalizeDate(text) : parseByPattern(text, format)?.toISOString()

/** A text as its type is written. @throws badRequest for one that is none of the type. */
const typed = (text: string, { targetType, dateFormat, targetXPath }: FieldMapping): string => {
  const misfit = fail('badRequest', `${targetXPath}: '${text}' is no ${targetType}`)
  if (targetType === 'integer' && !/^[+-]?\d+$/.test(text)) throw misfit
  if (targetType === 'double' && (text === '' || !Number.isFinite(Number(text)))) throw misfit
  if (targetType === 'boolean') return String(text.toLowerCase() === 'true')
  if (targetType !== 'date') return text
  const date = dateOf(text, dateFormat)
  if (date === undefined) throw misfit
  return date
}

const textsOf = (root: XmlNode, mapping: ScanMapping, context: MappingContext): Metadata => {
  const texts: { [xpath: string]: string } = {}
  for (const field of mapping.fieldMappings) {
    const node = oneAt(root, field.sourceXPath, context)
    const text = node && read(node, field.sourceAttribute)
    if (node && text === undefined)
      context.warn(`${field.sourceXPath} has no attribute ${field.sourceAttribute}, and is left out`)
    if (text !== undefined) texts[field.targetXPath] = typed(text, field)
  }
  return texts
}

/** The file that a descriptor names; undefined, with a warning, when it is not there, or may not be read. */
const fileOf = async (
  root: XmlNode,
  mapping: BlobMapping,
  { files, folders, ...context }: MappingContext,
) => {
  const node = oneAt(root, mapping.sourceXPath, context)
  const path = node && read(node, mapping.sourcePathAttribute)
  if (!node || !path) return undefined
  const name = mapping.sourceFilenameAttribute && read(node, mapping.sourceFilenameAttribute)
  try {
    return await storeServerFile(await importablePath(folders, resolve(path)), files, name || undefined)
  } catch (error) {
    if (!isArchivoltError(error) || error.retryable) throw error
    context.warn(`the file ${path} is left out: ${error.message}`)
    return undefined
  }
}

/**
 * The properties that a descriptor says. Single fields are left out with a warning where the descriptor does not have
 * them once, or the type does not have them.
 *
 * @throws badRequest for a text that is no number or date.
 */
export const mapDescriptor = async (
  root: XmlNode,
  { mapping, given }: { mapping: ScanMapping; given: Properties },
  context: MappingContext,
): Promise<Properties> => {
  const { model } = context.session
  const properties: Properties = { ...given }
  for (const blobMapping of mapping.blobMappings) {
    const blob = await fileOf(root, blobMapping, context)
    if (!blob) continue
    const { targetXPath: xpath } = blobMapping
    const resolved = model.resolve(xpath)
    if (resolved?.field.type !== 'blob') context.warn(`${xpath} takes no file, which is left out`)
    else
      properties[resolved.key] = setProperty(properties, { model, xpath, value: blob })[resolved.key] ?? null
  }
  const texts = textsOf(root, mapping, context)
  return withTexts(context.session, mapping.targetLeafType, { texts, given: properties, warn: context.warn })
}
