import { type ArchivoltError, fail } from '../../platform/errors/index.js'
import type { Place } from './types.js'

/** The line and column of an offset. */
export const placeAt = (source: string, offset: number): Place => {
  const before = source.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** @throws badRequest for a name by which a template would ask other servers, with whatever its values hold. */
export const requireAllowed = (name: string, at: Place): void => {
  if (name === 'HTTP') throw refuse(at, 'HTTP cannot be used in a template')
}

/** Blocks (`<#if>`, `@foreach{}`) of a template within one another. */
const MAX_BLOCKS = 100

/** @throws badRequest for a block that stands in too many others. */
export const requireShallow = (blocks: number, at: Place): void => {
  if (blocks > MAX_BLOCKS) throw refuse(at, `it stands in more than ${MAX_BLOCKS} blocks`)
}

/** What is wrong in a template, and where. */
export const refuse = ({ line, column }: Place, message: string): ArchivoltError =>
  fail('badRequest', `template: line ${line}, column ${column}: ${message}`, {
    details: [{ line, column, message }],
  })
