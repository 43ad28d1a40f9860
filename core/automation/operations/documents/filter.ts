import type { Session } from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import { isOverLimit } from '../../../platform/sandbox/expressions/index.js'
import {
  defineOperation,
  documentsValue,
  documentValue,
  type Operation,
  type OperationContext,
} from '../../language/index.js'

/** Proxies of a live document change with it. */
const isLiveProxy = (document: DocumentRecord): boolean =>
  document.isProxy && document.proxyTargetId === document.proxyVersionSeriesId

const isImmutable = (document: DocumentRecord): boolean =>
  document.isVersion || (document.isProxy && !isLiveProxy(document))

const CLASSES: { [name: string]: (document: DocumentRecord) => boolean } = {
  Any: () => true,
  'Regular Document': ({ isProxy, isVersion }) => !isProxy && !isVersion,
  'Document Link': isLiveProxy,
  'Published Document': (document) => document.isProxy && !isLiveProxy(document),
  'Document Proxy': ({ isProxy }) => isProxy,
  'Document Version': ({ isVersion }) => isVersion,
  'Immutable Document': isImmutable,
  'Mutable Document': (document) => !isImmutable(document),
}

type Criteria = {
  types?: readonly string[] | undefined
  facet?: string | undefined
  lifecycle?: readonly string[] | undefined
  pathStartsWith?: string | undefined
  class?: string | undefined
}

/** @throws badRequest for a class that there is none of. */
const criteriaTest = (
  { model }: Session,
  { types = [], facet, lifecycle = [], pathStartsWith, class: kind = 'Any' }: Criteria,
): ((document: DocumentRecord) => boolean) => {
  const isOfClass = Object.hasOwn(CLASSES, kind) ? CLASSES[kind] : undefined
  if (!isOfClass) throw fail('badRequest', `class: '${kind}' is none of ${Object.keys(CLASSES).join(', ')}`)
  return (document) =>
    (types.length === 0 || types.includes(document.type)) &&
    (!facet || model.facetsOf(document.type, document.facets).includes(facet)) &&
    (lifecycle.length === 0 || lifecycle.includes(document.lifecycleState ?? '')) &&
    (!pathStartsWith || Boolean(document.path?.startsWith(pathStartsWith))) &&
    isOfClass(document)
}

/** Kept, too, when nobody knows: a filter should not lose what its author did not think of. */
const holds = async (
  { evaluate, services }: OperationContext,
  document: DocumentRecord,
  condition: string,
): Promise<boolean> => {
  try {
    const value = await evaluate(condition, { input: documentValue(document) })
    return value.type === 'boolean' ? value.value : value.type === 'string' && value.value === 'true'
  } catch (error) {
    if (isArchivoltError(error) && error.code === 'forbidden') throw error
    // The next one would take as long again.
    if (isOverLimit(error)) throw error
    services.log('warn', 'A condition of Document.Filter failed; the document is kept', {
      document: document.id,
      error: String(error),
    })
    return true
  }
}

const filter = defineOperation({
  id: 'Document.Filter',
  label: 'Filter List',
  category: 'Document',
  description: 'Keeps the input documents that meet every criterion that is given.',
  params: {
    types: {
      type: 'stringlist',
      names: 'documentType',
      description: 'Keep documents of one of these types.',
    },
    facet: { type: 'string', names: 'facet', description: 'Keep documents with this facet.' },
    lifecycle: {
      type: 'stringlist',
      names: 'lifecycleState',
      description: 'Keep documents in one of these states.',
    },
    pathStartsWith: { type: 'string', description: 'Keep documents whose path begins so.' },
    condition: {
      type: 'string',
      isCode: true,
      notation: 'expression',
      description: 'Keep documents for which this expression, on Document, is true, or fails.',
    },
    class: {
      type: 'string',
      description: 'Kind of the documents that are kept.',
      values: Object.keys(CLASSES),
    },
  },
  methods: ({ method }) => [
    method('documents', 'documents', async ({ context, input, params }) => {
      const meets = criteriaTest(context.session, params)
      const kept: DocumentRecord[] = []
      for (const document of input) {
        throwIfStopped(context.signal)
        if (meets(document) && (!params.condition || (await holds(context, document, params.condition))))
          kept.push(document)
      }
      return documentsValue(kept)
    }),
  ],
})

export const documentFilterOperations: readonly Operation[] = [filter]
