import { lookup } from 'mime-types'
import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { bareMimeType, isMimeType } from '../blobs/index.js'
import type { ConverterRegistry } from './registry.js'
import type { ConversionStep } from './steps.js'

/** What to convert to: the first of the three that is not blank counts (blobs-conversions.md §3). */
export type ConversionTarget = {
  /** Name of a converter. */
  converter?: string
  /** Mime type. */
  type?: string
  /** File extension. */
  format?: string
}

/**
 * The steps that a request asks for. Fails with `badRequest` when it asks for nothing or an invalid type, else as the
 * registry does. Runs nothing, so a request can be refused before a workflow is started for it.
 */
export const planConversion = (
  registry: Pick<ConverterRegistry, 'stepsByName' | 'stepsByMimeType'>,
  source: BlobValue,
  target: ConversionTarget,
): ConversionStep[] => {
  const sourceMimeType = bareMimeType(source['mime-type'] ?? 'application/octet-stream')
  const converter = target.converter?.trim()
  if (converter) return registry.stepsByName(converter, sourceMimeType)
  return registry.stepsByMimeType(sourceMimeType, destinationOf(target))
}

const destinationOf = ({ type, format }: ConversionTarget): string => {
  if (type?.trim()) {
    if (!isMimeType(type.trim())) throw fail('badRequest', `type: ${JSON.stringify(type)} is not a mime type`)
    return bareMimeType(type)
  }
  if (!format?.trim()) throw fail('badRequest', 'No converter, type or format parameter specified')
  const mimeType = lookup(format.trim())
  if (!mimeType) throw fail('badRequest', `format: ${JSON.stringify(format)} is not a known file extension`)
  return mimeType
}
