import type { Value } from '../../../core/automation/language/index.js'
import type { BusinessObjects } from '../../../core/content/business-objects/index.js'
import type { DocumentPage } from '../../../core/content/documents/index.js'
import type { MediaTask } from '../../../core/content/media/index.js'
import type { RenditionTools } from '../../../core/content/renditions/index.js'
import type { Media } from '../../../core/files/media/index.js'
import type { BlobValue, DocumentRecord, DocumentRef } from '../../../core/model/properties/index.js'
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

/** @property run what is known of the run that is under way; undefined where none is. */
export type MediaState = MediaTask & { run: { fraction?: number } | undefined }

/** What adapters do with the engine of the process. */
export type AdapterEngine = {
  /** Responds with the converted blob, or with the address of its status. */
  convert(c: RequestContext, file: { source: BlobValue; documentId: string }): Promise<Response>
  /** Calls an operation or chain by its id. */
  call(c: RequestContext, id: string, input: Value): Promise<Response>
  /** Removes a document with more below it than a request should wait for, in a run; undefined when it has less. */
  removeLarge(c: RequestContext, document: DocumentRecord): Promise<Response | undefined>
  businessObjects: BusinessObjects
  renditionTools(c: RequestContext): RenditionTools
  media: Pick<Media, 'comparePictures'>
  /** What is made of a document's file, and of the runs under way how far they are. */
  mediaOf(documentId: string): Promise<MediaState[]>
}

export type AdapterMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What is served at `…/@name` of documents: one file and one line in a registry (rest-documents.md §7). */
export type Adapter = {
  name: string
  methods: Partial<Record<AdapterMethod, AdapterHandler>>
  /** Whether even reading it costs work, which pages of other sites may not have done in the background. */
  isCostly?: boolean
  /** The methods of this address, when those are not all: PUT applies to a comment, but not to the list of them. */
  takes?(request: Pick<AdapterRequest, 'rest' | 'list'>): readonly AdapterMethod[]
  /** Adapters that it may follow; absent: it applies to the document only. */
  follows?: readonly string[]
  /** Whether it may follow an adapter that lists documents. */
  takesLists?: boolean
  /** Lists documents, for adapters that apply to lists. */
  list?(request: AdapterRequest): Promise<DocumentPage>
}
