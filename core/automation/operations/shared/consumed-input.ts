import type { BlobValue, DocumentRecord } from '../../../model/properties/index.js'
import {
  documentsValue,
  documentValue,
  type OperationContext,
  typeOf,
  type Value,
} from '../../language/index.js'

type Consumed = {
  document: DocumentRecord
  documents: readonly DocumentRecord[]
  blob: BlobValue
  bloblist: readonly BlobValue[]
}

const VALUE_OF: { [Type in keyof Consumed]: (consumed: Consumed[Type]) => Value } = {
  document: documentValue,
  documents: documentsValue,
  blob: (blob) => ({ type: 'blob', blob }),
  bloblist: (blobs) => ({ type: 'blobs', blobs }),
}

/**
 * The input of a method that passes it on, as the type that the method takes: what came in where it is of that type, since
 * it keeps the page that it came from and a long list stays in its store; else what it was turned into, e.g. a path
 * into its document.
 */
export const asConsumed = <Type extends keyof Consumed>(
  type: Type,
  { context, input }: { context: OperationContext; input: Consumed[Type] },
): Value => (typeOf(context.input) === type ? context.input : VALUE_OF[type](input))
