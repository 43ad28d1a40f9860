import type { Session } from '../../../core/content/documents/index.js'
import { contributedEnricher, enrichersOf } from '../../../core/content/enrichers/index.js'
import type { ContentModel } from '../../../core/model/content-model/index.js'
import type { Platform } from '../../../runtime/index.js'
import type { RequestContext } from '../../edge/index.js'
import {
  createDocumentWriter,
  linksOf,
  type Rendering,
  renderingOf,
  type WriteDocument,
} from '../entities/index.js'
import { enrichersByName } from './enrichers/registry.js'
import { createAddedBudget, createRenderer, MAX_NESTED, type Renderer } from './renderer.js'

export type { Renderer }

/** What the REST handlers share. */
export type RestServices = {
  platform: Platform
  renderer(c: RequestContext, session: Session): Renderer
}

/** The enrichers requested by name, alias or category; unknown names are ignored. */
const enrichersNamed =
  ({ contributions }: Session) =>
  ({ enrichers, categories }: Rendering) => {
    if (enrichers.length === 0 && categories.length === 0) return []
    const names = [...enrichers, ...categories.flatMap((category) => enrichersOf(contributions, category))]
    return [...new Set(names)].flatMap((asked) => {
      const { enricher: name, parameters } = contributedEnricher(contributions, asked)
      const enricher = enrichersByName.get(name)
      return enricher ? [{ asked, enricher, parameters }] : []
    })
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
          c,
          platform,
          enrichersNamed: enrichersNamed(session),
          session,
          links: linksOf(c, { publicUrl, repository: session.repository }),
          nesting: { left: MAX_NESTED },
          spendAdded: createAddedBudget(),
        },
        renderingOf(c),
      ),
  }
}
