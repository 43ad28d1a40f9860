import type { DocumentRecord, Session } from '../../core/documents/index.js'
import type { Platform } from '../../storage/platform/index.js'
import type { RequestContext } from '../environment.js'
import type { DocumentEntity, WriteDocument } from './document-entity.js'
import type { Enricher } from './enrichers/index.js'
import { entityOptions } from './entity-options.js'
import { languagesOf } from './languages.js'
import type { Links } from './links.js'
import { createExpander, type Expand, expandProperties } from './references/index.js'
import { PLAIN_RENDERING, type Rendering } from './rendering.js'

/** Writes documents as the caller of one request wants to see them. */
export type Renderer = {
  one(document: DocumentRecord): Promise<DocumentEntity>
  many(documents: readonly DocumentRecord[]): Promise<DocumentEntity[]>
}

/** What the renderers of one request share, at any depth. */
export type RenderScope = {
  c: RequestContext
  platform: Platform
  session: Session
  links: Links
  writeDocument: WriteDocument
  enrichersNamed(rendering: Rendering): readonly { asked: string; enricher: Enricher }[]
}

const nested = (rendering: Rendering): Rendering =>
  rendering.depth > 0 ? { ...rendering, depth: rendering.depth - 1 } : PLAIN_RENDERING

/** Things to fetch that are no properties. */
const OWN_FIELDS = ['versionLabel', 'lock']

/** How the documents of an answer are written: with what the caller asks for, and no more work than that. */
export const createRenderer = (scope: RenderScope, rendering: Rendering): Renderer => {
  const { c, platform, session, links, writeDocument } = scope
  const enrichers = scope.enrichersNamed(rendering)
  const patterns =
    rendering.fetch.length === 0 || rendering.properties.length === 0
      ? []
      : rendering.fetch.filter((name) => !OWN_FIELDS.includes(name))

  let inside: Renderer | undefined
  const inner = (): Renderer => {
    inside ??= createRenderer(scope, nested(rendering))
    return inside
  }

  const enrich = async (document: DocumentRecord): Promise<object | undefined> => {
    const parameters: { [name: string]: unknown } = {}
    for (const { asked, enricher } of enrichers)
      Object.assign(
        parameters,
        await enricher.enrich({ c, platform, document, session, links, asked, renderer: inner() }),
      )
    return Object.keys(parameters).length > 0 ? parameters : undefined
  }

  let expand: Expand | undefined
  const expanded = (document: DocumentRecord, properties: object): Promise<object> => {
    expand ??= createExpander({
      platform,
      session,
      renderer: inner(),
      options: (entity) => entityOptions(c, entity),
      languages: languagesOf(c.req.header('Accept-Language')),
    })
    const schemas = session.model.schemasOf(document.type, document.facets)
    return expandProperties({ ...properties }, { schemas, patterns, expand })
  }

  const one = async (document: DocumentRecord): Promise<DocumentEntity> => {
    const entity = writeDocument(document, { rendering, links })
    if (patterns.length > 0 && entity.properties)
      entity.properties = await expanded(document, entity.properties as object)
    if (enrichers.length === 0) return entity
    const contextParameters = await enrich(document)
    return contextParameters ? { ...entity, contextParameters } : entity
  }
  return { one, many: (documents) => Promise.all(documents.map(one)) }
}
