import { modelRegistry } from '../../model/content-model/index.js'
import { defineRegistry, refuseConfiguration } from '../../platform/contributions/index.js'
import { findingsOf } from './findings.js'
import { namedOf } from './index-shape.js'
import { searchIndexPoint } from './search-index-point.js'

/** Refuses additions to the search index that do not fit the content model, or one another. */
export const indexShapeRegistry = defineRegistry({
  name: 'search index',
  build: (contributions, snapshot) => {
    const model = snapshot.get(modelRegistry)
    const all = namedOf(contributions)
    const problems = all.flatMap((own, position) =>
      findingsOf(own, { model, earlier: all.slice(0, position), all }).map((finding) =>
        contributions.locate({ point: searchIndexPoint.point, name: own.name }, finding),
      ),
    )
    refuseConfiguration(problems)
  },
})
