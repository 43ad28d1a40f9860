import { getEntries } from '../../../../core/content/directories/index.js'
import type { Session } from '../../../../core/content/documents/index.js'
import type { PropertyValue } from '../../../../core/model/properties/index.js'
import { MAX_EXPANDED } from '../references/registry.js'
import { type Enricher, each } from './enricher.js'

const VOCABULARIES = { 'dc:subjects': 'l10nsubjects', 'dc:coverage': 'l10ncoverage' } as const

/** Values may be paths of the vocabulary, `parent/child`. */
const idsOf = (value: PropertyValue | undefined): string[] =>
  (Array.isArray(value) ? value.slice(0, MAX_EXPANDED) : [value]).flatMap((item) =>
    typeof item === 'string' && item !== '' ? [item, item.slice(item.lastIndexOf('/') + 1)] : [],
  )

const labelsOf = async (session: Session, directory: string, value: PropertyValue | undefined) => {
  if (!session.directories.registry.has(directory)) return []
  const entries = await getEntries(session, directory, [...new Set(idsOf(value))])
  return entries.map(({ id, properties }) => ({
    id,
    label_en: properties.label_en ?? null,
    label_fr: properties.label_fr ?? null,
  }))
}

/** The labels of a document's subjects and coverage, for clients of 7.4 (rest-documents.md §6). */
export const vocabularies: Enricher = {
  name: 'vocabularies',
  enrich: each(async (document, { session }) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(VOCABULARIES).map(
          async ([property, directory]) =>
            [property, await labelsOf(session, directory, document.properties[property])] as const,
        ),
      ),
    ),
  ),
}
