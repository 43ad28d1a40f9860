import {
  createDocumentReader,
  type IncidentInput,
  type ItemFailure,
  type NamedFailure,
} from '../language/index.js'
import type { UnitOfWork } from './contracts/unit-of-work.js'
/** The paths of those documents that the reader may browse, by id. */
export const browsablePaths = async (
  { session, transient }: Pick<UnitOfWork, 'session' | 'transient'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const reader = createDocumentReader(session, transient)
  const seen = await reader.many({ type: 'documents', ids: [...new Set(ids)] })
  return new Map(seen.flatMap(({ id, path }) => (path === null ? [] : [[id, path] as const])))
}

/** Failed items with the paths of their documents, as far as the reader may browse those: a path for others is left out. */
export const failuresWithPaths = async <Failure extends ItemFailure>(
  unit: Pick<UnitOfWork, 'session' | 'transient'>,
  failures: readonly Failure[],
): Promise<(Failure & NamedFailure)[]> => {
  const paths = await browsablePaths(
    unit,
    failures.flatMap(({ id }) => id ?? []),
  )
  return failures.map((failure) => {
    const { path: _, ...plain } = failure as Failure & NamedFailure
    const path = paths.get(failure.id ?? '')
    return { ...plain, ...(path !== undefined && { path }) } as Failure & NamedFailure
  })
}

/** What something that failed was done to, with the paths of the documents that the reader may browse. */
export const withPaths = async <Described extends { kind: string }>(
  unit: Pick<UnitOfWork, 'session' | 'transient'>,
  incidents: readonly (Described & { input?: IncidentInput })[],
): Promise<(Described & { input?: IncidentInput })[]> => {
  const paths = await browsablePaths(
    unit,
    incidents.flatMap(({ input }) => input?.documentId ?? []),
  )
  return incidents.map((incident) => {
    const path = paths.get(incident.input?.documentId ?? '')
    return path ? { ...incident, input: { ...incident.input, path } as IncidentInput } : incident
  })
}
