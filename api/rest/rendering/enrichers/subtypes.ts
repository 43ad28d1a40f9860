import { type Enricher, each } from './enricher.js'

/** What may be made in a folder, by the types that its own type allows. */
export const subtypes: Enricher = {
  name: 'subtypes',
  enrich: each((document, { session: { model } }) => ({
    subtypes: (model.types.get(document.type)?.allowedChildren ?? [])
      .filter((type) => model.types.has(type))
      .map((type) => ({ type, facets: model.facetsOf(type, []) })),
  })),
}
