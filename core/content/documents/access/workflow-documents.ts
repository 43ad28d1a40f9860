import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'

/** What tasks and routes are known by. Whoever could write it could act on workflows of others. */
const FACETS = ['Task', 'DocumentRoute']

const PREFIXES = ['nt:', 'docri:']

/** Whether a property says what a task or a route is: for whom, on which documents, of which workflow. */
export const isOfWorkflow = (name: string): boolean => PREFIXES.some((prefix) => name.startsWith(prefix))

/** Whether a document is a task, or the document of a route. */
export const isWorkflowDocument = (
  { model }: Pick<Session, 'model'>,
  { type, facets }: Pick<DocumentRecord, 'type' | 'facets'>,
): boolean => model.facetsOf(type, facets).some((facet) => FACETS.includes(facet))

/**
 * Refuses tasks and documents of routes to all but administrators and the product: they are made with their workflow.
 *
 * @param document what is to be created, or has one facet more.
 * @throws forbidden.
 */
export const requireNoWorkflowDocument = (
  session: Pick<Session, 'model' | 'principal'>,
  document: Pick<DocumentRecord, 'type' | 'facets'>,
): void => {
  if (session.principal.isAdministrator || !isWorkflowDocument(session, document)) return
  throw fail(
    'forbidden',
    `Type: ${document.type} is of a document workflow: '${session.principal.name}' may not create or copy it`,
  )
}
