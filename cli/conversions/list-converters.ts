import type { Deployment } from '../chains/index.js'
import { EXIT, type ExitCode } from '../failures/index.js'
import { type ConverterEntity, convertersEntity } from '../server/index.js'
import { showTable } from '../terminal/index.js'

const MAX_TYPES = 3

const typesOf = (types: readonly string[]): string =>
  types.length > MAX_TYPES
    ? `${types.slice(0, MAX_TYPES).join(', ')} and ${types.length - MAX_TYPES} more`
    : types.join(', ')

const rowOf = (converter: ConverterEntity): string[] => {
  const { name, sourceMimeTypes, destinationMimeType, isAvailable, missing } = converter
  return [
    name,
    destinationMimeType ?? '-',
    isAvailable ? 'available' : `needs ${missing.join(', ')}`,
    `from ${typesOf(sourceMimeTypes)}`,
  ]
}

/** Lists the converters of the server, with what those need that are not available. */
export const listConverters = async (
  { server, terminal }: Deployment,
  options: { json?: boolean },
): Promise<ExitCode> => {
  const { entries } = await server.read(convertersEntity, '/converters')
  if (options.json) terminal.out(JSON.stringify(entries))
  else showTable(terminal, { rows: entries.map(rowOf), none: 'There are no converters' })
  return EXIT.ok
}
