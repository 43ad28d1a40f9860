import type { Session } from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { createTurns } from '../../../../core/platform/limits/index.js'
import type { Platform } from '../../../../runtime/index.js'
import type { RequestContext } from '../../../edge/index.js'
import type { Links } from '../../entities/index.js'
import type { Renderer } from '../renderer.js'

/** Additions to the `contextParameters` of one document, by key. */
export type Added = { readonly [key: string]: unknown }

export type EnricherCall = {
  c: RequestContext
  platform: Platform
  /** All documents of the same list, so that what they share is computed once. */
  documents: readonly DocumentRecord[]
  session: Session
  links: Links
  /** The requested name or alias. */
  asked: string
  /** As the deployment contributed them to this name. */
  parameters: { readonly [name: string]: readonly string[] }
  /** For documents inside: one level deeper. */
  renderer: Renderer
}

/** Adds to the `contextParameters` of documents (rest-documents.md §6). */
export type Enricher = {
  name: string
  aliases?: readonly string[]
  /** Computes the additions to each of the documents, in their order. */
  enrich(call: EnricherCall): Promise<readonly Added[]>
}

/** So many documents are treated at the same time: each may take a connection of the database. */
const AT_ONCE = 4

/** For an enricher that treats each document separately. */
export const each =
  (enrichOne: (document: DocumentRecord, call: EnricherCall) => Added | Promise<Added>): Enricher['enrich'] =>
  (call) => {
    const turns = createTurns(AT_ONCE)
    return Promise.all(call.documents.map((document) => turns(async () => enrichOne(document, call))))
  }
