import {
  createDocumentReader,
  type IncidentInput,
  type ItemFailure,
  type NamedFailure,
} from '../language/index.js'
import type { UnitOfWork } from './contracts/unit-of-work.js'

type Place = { id: string; path: string }

/** Those documents that the reader may browse, by id and by path: a list may name them by either. */
const browsable = async (
  { session, transient }: Pick<UnitOfWork, 'session' | 'transient'>,
  references: readonly string[],
): Promise<ReadonlyMap<string, Place>> => {
  if (references.length === 0) return new Map()
  const reader = createDocumentReader(session, transient)
  const seen = await reader.many({ type: 'documents', ids: [...new Set(references)] })
  return new Map(
    seen.flatMap(({ id, path }): [string, Place][] =>
      path === null
        ? []
        : [
            [id, { id, path }],
            [path, { id, path }],
          ],
    ),
  )
}

/** The paths of those documents that the reader may browse, by id. */
export const browsablePaths = async (
  unit: Pick<UnitOfWork, 'session' | 'transient'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await browsable(unit, ids))].map(([reference, { path }]) => [reference, path]))

/** Failed items with the paths of their documents, as far as the reader may browse those: a path for others is left out. */
export const failuresWithPaths = async <Failure extends ItemFailure>(
  unit: Pick<UnitOfWork, 'session' | 'transient'>,
  failures: readonly Failure[],
): Promise<(Failure & NamedFailure)[]> => {
  const places = await browsable(
    unit,
    failures.flatMap(({ id }) => id ?? []),
  )
  return failures.map((failure) => {
    const { path: _, ...plain } = failure as Failure & NamedFailure
    return { ...plain, ...places.get(failure.id ?? '') } as Failure & NamedFailure
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
