import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { OperationContext, Value } from '../../language/index.js'
import { getVariable } from './context-variables.js'

/** The context variable that some operations take for their target. */
export const CURRENT_DOCUMENT = 'currentDocument'

/** Callers over HTTP name it by a text, chains by a document. */
export const asDocument = (variable: Value): Value =>
  variable.type === 'string' ? { type: 'document', id: variable.value.replace(/^doc:/, '') } : variable

/**
 * The document of the context variable `currentDocument`, which some operations take for their target.
 *
 * @throws badRequest when the variable holds none, notFound when it is not there.
 */
export const currentDocument = async (context: OperationContext): Promise<DocumentRecord> => {
  const variable = asDocument(getVariable(context.variables, CURRENT_DOCUMENT))
  if (variable.type !== 'document' || variable.id.trim() === '')
    throw fail(
      'badRequest',
      `The context variable ${CURRENT_DOCUMENT} must hold a document, its id or its path`,
    )
  const [document] = await context.documents(variable)
  if (!document) throw fail('notFound', `The document of ${CURRENT_DOCUMENT} is not there`)
  return document
}
