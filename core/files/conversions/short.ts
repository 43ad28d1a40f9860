import type { BlobValue } from '../../model/properties/index.js'
import type { EngineName } from './engines/engine.js'
import type { ConverterRegistry } from './registry.js'
import { type ConversionTarget, planConversion } from './request.js'

/** Of a file that is converted within seconds, as a rule. */
const SHORT_BYTES = 32 * 1024 ** 2

/** Engines whose work takes minutes, or nobody knows how long. */
const LONG_ENGINES: ReadonlySet<EngineName> = new Set(['video', 'command'])

/** Whether a conversion is expected to take seconds. @throws as `planConversion` does. */
export const isShortConversion = (
  registry: ConverterRegistry,
  { source, ...target }: ConversionTarget & { source: BlobValue },
): boolean =>
  source.length <= SHORT_BYTES &&
  planConversion(registry, source, target).every(({ engine }) => !LONG_ENGINES.has(engine))
