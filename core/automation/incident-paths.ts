import { createDocumentReader } from './documents.js'
import type { IncidentInput } from './incidents.js'
import type { UnitOfWork } from './unit-of-work.js'

/** What something that failed was done to, with the paths of the documents that the reader may browse. */
export const withPaths = async <Told extends { kind: string }>(
  { session, transient }: Pick<UnitOfWork, 'session' | 'transient'>,
  incidents: readonly (Told & { input?: IncidentInput })[],
): Promise<(Told & { input?: IncidentInput })[]> => {
  const ids = incidents.flatMap(({ input }) => input?.documentId ?? [])
  if (ids.length === 0) return [...incidents]
  const reader = createDocumentReader(session, transient)
  const seen = await reader.many({ type: 'documents', ids: [...new Set(ids)] })
  const paths = new Map(seen.map(({ id, path }) => [id, path]))
  return incidents.map((incident) => {
    const path = paths.get(incident.input?.documentId ?? '')
    return path ? { ...incident, input: { ...incident.input, path } as IncidentInput } : incident
  })
}
