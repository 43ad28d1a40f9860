import type { DocumentRecord, Session } from '../../../core/documents/index.js'
import type { Platform } from '../../../storage/platform/index.js'
import type { RequestContext } from '../../environment.js'
import type { Links } from '../links.js'
import type { Renderer } from '../renderer.js'

/** Adds to the `contextParameters` of a document (rest-documents.md §6). */
export type Enricher = {
  name: string
  aliases?: readonly string[]
  /** What to add, by key. */
  enrich(call: {
    c: RequestContext
    platform: Platform
    document: DocumentRecord
    session: Session
    links: Links
    /** The name or alias by which it was asked for. */
    asked: string
    /** For documents inside: one level deeper. */
    renderer: Renderer
  }): Promise<{ [key: string]: unknown }>
}
