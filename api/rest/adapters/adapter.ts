import type { DocumentPage } from '../../../core/content/documents/index.js'
import type { DocumentRef } from '../../../core/model/properties/index.js'
import type { RequestContext } from '../../edge/index.js'
import type { AdapterCall } from '../requests/index.js'

export type AdapterRequest = {
  c: RequestContext
  ref: DocumentRef
  /** What follows the adapter's name in the path, decoded. */
  rest: string
  /** Adapters before this one: `@blob/file:content` of `…/@blob/file:content/@convert`. */
  before: readonly AdapterCall[]
  /** The documents of the list before this one: `…/@children` of `…/@children/@bo/Invoice`. */
  list?: (() => Promise<DocumentPage>) | undefined
}

export type AdapterHandler = (request: AdapterRequest) => Promise<Response>

export type AdapterMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What is served at `…/@name` of documents: one file and one line in a registry (rest-documents.md §7). */
export type Adapter = {
  name: string
  methods: Partial<Record<AdapterMethod, AdapterHandler>>
  /** The methods of this address, when those are not all: PUT applies to a comment, but not to the list of them. */
  takes?(request: Pick<AdapterRequest, 'rest' | 'list'>): readonly AdapterMethod[]
  /** Adapters that it may follow; absent: it applies to the document only. */
  follows?: readonly string[]
  /** Whether it may follow an adapter that lists documents. */
  takesLists?: boolean
  /** Lists documents, for adapters that apply to lists. */
  list?(request: AdapterRequest): Promise<DocumentPage>
}
