import { outbox } from '../../../schema/documents.js'
import { columnsOf, Name, tableOf } from './names.js'

const { event, documentId, principal, payload } = columnsOf(outbox)

/** Where events are inserted, with the columns that their writers fill. */
export const INTO_OUTBOX = new Name(`${tableOf(outbox)} (${event}, ${documentId}, ${principal}, ${payload})`)
