import { type ArchivoltError, fail } from '../../../platform/errors/index.js'
import type { Method, ValueType } from '../../language/index.js'

const NAMES: { [type in ValueType]: string } = {
  void: 'nothing',
  object: 'anything',
  document: 'a document',
  documents: 'documents',
  blob: 'a file',
  bloblist: 'files',
  date: 'a date',
  boolean: 'a boolean',
  number: 'a number',
  string: 'a text',
}

type Called = { id: string; methods: readonly Pick<Method, 'input'>[] }

const takenBy = ({ methods }: Called): string =>
  [...new Set(methods.map(({ input }) => NAMES[input]))].join(' or ')

const wrongType = (called: Called, received: ValueType): string =>
  `${called.id} takes no input of type ${received}: it needs ${takenBy(called)}`

/** Why what is called does not take its input: there is none, or it has another type than the methods take. */
export const refusedInput = (called: Called, received: ValueType): ArchivoltError =>
  fail(
    'badRequest',
    received === 'void'
      ? `${called.id} needs ${takenBy(called)} as input; the call has none`
      : wrongType(called, received),
  )

/** Why no way leads through the steps of a chain, of which one gets a type that it does not take. */
export const refusedPath = (called: Called, received: ValueType): ArchivoltError =>
  fail('badRequest', `No valid path through the chain: ${wrongType(called, received)}`)
