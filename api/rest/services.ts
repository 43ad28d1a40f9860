import type { ContentModel } from '../../core/content-model/index.js'
import type { DocumentRecord, Session } from '../../core/documents/index.js'
import type { Platform } from '../../storage/platform/index.js'
import type { RequestContext } from '../environment.js'
import { createDocumentWriter, type DocumentEntity, type WriteDocument } from './document-entity.js'
import { type Enricher, enrichersByName } from './enrichers/index.js'
import { linksOf } from './links.js'
import { PLAIN_RENDERING, type Rendering, renderingOf } from './rendering.js'

/** Writes documents as the caller of one request wants to see them. */
export type Renderer = {
  one(document: DocumentRecord): Promise<DocumentEntity>
  many(documents: readonly DocumentRecord[]): Promise<DocumentEntity[]>
}

/** What the REST handlers share. */
export type RestServices = {
  platform: Platform
  renderer(c: RequestContext, session: Session): Renderer
}

const nested = (rendering: Rendering): Rendering =>
  rendering.depth > 0 ? { ...rendering, depth: rendering.depth - 1 } : PLAIN_RENDERING

const createRenderer = (
  scope: {
    writeDocument: WriteDocument
    enrichers: ReadonlyMap<string, Enricher>
    session: Session
    links: ReturnType<typeof linksOf>
  },
  rendering: Rendering,
): Renderer => {
  const { writeDocument, enrichers, session, links } = scope
  const enrich = async (document: DocumentRecord): Promise<object | undefined> => {
    const parameters: { [name: string]: unknown } = {}
    const inner = createRenderer(scope, nested(rendering))
    for (const name of rendering.enrichers) {
      const enricher = enrichers.get(name)
      if (enricher)
        Object.assign(
          parameters,
          await enricher.enrich({ document, session, links, asked: name, renderer: inner }),
        )
    }
    return Object.keys(parameters).length > 0 ? parameters : undefined
  }
  const one = async (document: DocumentRecord): Promise<DocumentEntity> => {
    const entity = writeDocument(document, { rendering, links })
    if (rendering.enrichers.length === 0) return entity
    const contextParameters = await enrich(document)
    return contextParameters ? { ...entity, contextParameters } : entity
  }
  return { one, many: (documents) => Promise.all(documents.map(one)) }
}

export const createRestServices = (platform: Platform): RestServices => {
  const writers = new WeakMap<ContentModel, WriteDocument>()
  const writerOf = (model: ContentModel): WriteDocument => {
    const known = writers.get(model)
    if (known) return known
    const writer = createDocumentWriter(model)
    writers.set(model, writer)
    return writer
  }
  const { publicUrl } = platform.settings.http
  return {
    platform,
    renderer: (c, session) =>
      createRenderer(
        {
          writeDocument: writerOf(session.model),
          enrichers: enrichersByName,
          session,
          links: linksOf(c, { publicUrl, repository: session.repository }),
        },
        renderingOf(c),
      ),
  }
}
