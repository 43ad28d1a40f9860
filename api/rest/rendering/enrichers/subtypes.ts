import { type Enricher, each } from './enricher.js'

/** The types of documents that may be created in a folder. */
export const subtypes: Enricher = {
  name: 'subtypes',
  enrich: each((document, { session: { model } }) => ({
    subtypes: (model.types.get(document.type)?.allowedChildren ?? [])
      .filter((type) => model.types.has(type))
      .map((type) => ({ type, facets: model.facetsOf(type, []) })),
  })),
}
