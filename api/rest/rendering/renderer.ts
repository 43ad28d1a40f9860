import { withoutHiddenIds } from '../../../core/content/collections/index.js'
import type { Session } from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { type CharacterBudget, createCharacterBudget } from '../../../core/platform/limits/index.js'
import type { Platform } from '../../../runtime/index.js'
import { type RequestContext, requireConnected } from '../../edge/index.js'
import {
  type DocumentEntity,
  entityOptions,
  type Links,
  PLAIN_RENDERING,
  type Rendering,
  type WriteDocument,
} from '../entities/index.js'
import { languagesOf } from '../requests/index.js'
import type { Added, Enricher, EnricherCall } from './enrichers/registry.js'
import { createExpander, type Expand, expandProperties } from './references/registry.js'

/** Renders documents by the options of one request. */
export type Renderer = {
  /** Whether it shows neither properties nor what enrichers add. */
  isPlain: boolean
  one(document: DocumentRecord): Promise<DocumentEntity>
  many(documents: readonly DocumentRecord[]): Promise<DocumentEntity[]>
  /** The entity that a value of a property refers to; undefined when there is none that the caller may see. */
  resolve: Expand
}

/** What the renderers of one request share, at any depth. */
export type RenderScope = {
  c: RequestContext
  platform: Platform
  session: Session
  links: Links
  writeDocument: WriteDocument
  enrichersNamed(
    rendering: Rendering,
  ): readonly (Pick<EnricherCall, 'asked' | 'parameters'> & { enricher: Enricher })[]
  /** The remaining budget of nested documents. */
  nesting: { left: number }
  /** Counts what is added to the documents of the answer. */
  spendAdded: CharacterBudget
}

/**
 * Limit of nested documents in one response: with depth and `children` or references, each level multiplies the one above.
 * One without properties counts as a tenth.
 */
export const MAX_NESTED = 5_000

const PLAIN_PART = 0.1

const spendNesting = ({ nesting }: RenderScope, rendering: Rendering, documents: number): void => {
  nesting.left -= documents * (rendering === PLAIN_RENDERING ? PLAIN_PART : 1)
  if (nesting.left >= 0) return
  throw fail(
    'badRequest',
    `enrichers, fetch, depth: more than ${MAX_NESTED} nested documents, or ${MAX_NESTED / PLAIN_PART} without properties, are requested; reduce depth or pageSize`,
  )
}

const nested = (rendering: Rendering): Rendering =>
  rendering.depth > 0 ? { ...rendering, depth: rendering.depth - 1 } : PLAIN_RENDERING

/** Values of `fetch-document` that are no properties. */
const OWN_FIELDS = ['versionLabel', 'lock']

/** What documents have in common is read once, and written in the answer for each of them. */
export const createAddedBudget = (): CharacterBudget =>
  createCharacterBudget(
    (most) =>
      `enrichers, fetch: more than ${most} characters would be added to the documents; ask for a smaller page (pageSize)`,
  )

const addTo = (entity: DocumentEntity, added: Added): void => {
  entity.contextParameters = { ...entity.contextParameters, ...added }
}

/** Creates the renderer of a response, which computes only what the caller requests. */
export const createRenderer = (scope: RenderScope, rendering: Rendering, isNested = false): Renderer => {
  const { c, platform, session, links, writeDocument } = scope
  const enrichers = scope.enrichersNamed(rendering)
  const patterns =
    rendering.fetch.length === 0 || rendering.properties.length === 0
      ? []
      : rendering.fetch.filter((name) => !OWN_FIELDS.includes(name))

  let inside: Renderer | undefined
  const inner = (): Renderer => {
    inside ??= createRenderer(scope, nested(rendering), true)
    return inside
  }

  const enrich = async (
    documents: readonly DocumentRecord[],
    entities: readonly DocumentEntity[],
  ): Promise<void> => {
    const call = { c, platform, documents, session, links, renderer: inner() }
    for (const { enricher, ...asked } of enrichers) {
      const all = await enricher.enrich({ ...call, ...asked })
      for (const [position, added] of all.entries())
        if (Object.keys(added).length > 0) {
          scope.spendAdded(added)
          addTo(entities[position]!, added)
        }
    }
  }

  let expand: Expand | undefined
  const expander = (): Expand => {
    expand ??= createExpander({
      platform,
      session,
      renderer: inner(),
      options: (name) => entityOptions(c, name),
      languages: languagesOf(c.req.header('Accept-Language')),
    })
    return expand
  }
  const expandIn = async (entity: DocumentEntity, document: DocumentRecord): Promise<void> => {
    if (!entity.properties) return
    const schemas = session.model.schemasOf(document.type, document.facets)
    entity.properties = await expandProperties(
      { ...entity.properties },
      { schemas, patterns, expand: expander() },
    )
    scope.spendAdded(entity.properties)
  }

  const many = async (documents: readonly DocumentRecord[]): Promise<DocumentEntity[]> => {
    if (isNested) spendNesting(scope, rendering, documents.length)
    else requireConnected(c)
    const shown = rendering.properties.length > 0 ? await withoutHiddenIds(session, documents) : documents
    const entities = shown.map((document) => writeDocument(document, { rendering, links }))
    if (patterns.length > 0)
      await Promise.all(documents.map((document, position) => expandIn(entities[position]!, document)))
    if (enrichers.length > 0) await enrich(documents, entities)
    return entities
  }
  return {
    isPlain: rendering === PLAIN_RENDERING,
    many,
    one: async (document) => (await many([document]))[0]!,
    resolve: (value, resolver) => expander()(value, resolver),
  }
}
