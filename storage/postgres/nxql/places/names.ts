import { documentAcls, documents } from '../../../../schema/documents.js'
import { documentTexts } from '../../../../schema/fulltext.js'
import { columnsOf, tableOf } from '../../rows/index.js'

/** The names of a table's columns as texts: a query is compiled for each call. */
const texts = <Columns extends object>(columns: Columns): { readonly [column in keyof Columns]: string } =>
  Object.fromEntries(Object.entries(columns).map(([key, name]) => [key, String(name)])) as never

export const DOCUMENTS = String(tableOf(documents))
export const DOCUMENT_ACLS = String(tableOf(documentAcls))
export const DOCUMENT_TEXTS = String(tableOf(documentTexts))

/** `d` is the alias of documents in every compiled query. */
export const d = texts(columnsOf(documents, 'd'))
export const DOCUMENT = texts(columnsOf(documents))
export const ACE = texts(columnsOf(documentAcls))
export const TEXTS = texts(columnsOf(documentTexts))
