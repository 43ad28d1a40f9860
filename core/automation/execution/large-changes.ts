import type { Principal } from '../../access/security/index.js'
import { isRemovedInPages } from '../../content/documents/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import {
  type Callable,
  type ChainDefinition,
  createDocumentReader,
  type Operation,
  type Registry,
} from '../language/index.js'
import { chainOfOne, type RunRequest } from '../planning/index.js'
import type { SegmentDependencies } from './execution-of.js'
import { namedDocuments } from './named-documents.js'

/** A call of an operation, or of anything else. */
type Called = { callable: Callable; request: RunRequest; principal: Principal; registry: Registry }

/** What a run does instead of a call. */
export type LargeChange = { chain: ChainDefinition; request: RunRequest }

const EACH = 'Context.RunOperationOnListInNewTx'
const PAGES = 'pages'

/** Documents of a page: a tenth of a second of removal. */
const PAGE = 5_000

/** Pages first, each in a transaction of its own, then the operation itself. */
const inPages = (
  { id, pagesBy }: Operation & { pagesBy: string },
  { request, count }: { request: RunRequest; count: number },
): LargeChange => ({
  chain: {
    id,
    aliases: [],
    params: [],
    steps: [
      { operation: EACH, params: { id: pagesBy, list: PAGES, parameters: { size: PAGE } } },
      { operation: id, params: request.params, isLiteral: true },
    ],
  },
  request: {
    ...request,
    variables: {
      ...request.variables,
      [PAGES]: {
        type: 'json',
        value: Array.from({ length: Math.ceil(count / PAGE) }, (_, page) => page + 1),
      },
    },
  },
})

/**
 * The run that does a call which changes more documents than one request should wait for, with what lies below its
 * input or is in it; undefined for any other call. So it is for a call that is going to be refused: whoever executes it says why.
 *
 * @param most documents that a request may wait for.
 */
export const largeChange = async (
  { units, services }: Pick<SegmentDependencies, 'units' | 'services'>,
  { callable, request, principal, registry }: Called,
  most: number,
): Promise<LargeChange | undefined> => {
  if (callable.kind !== 'operation') return undefined
  const { operation } = callable
  if (!operation.changesSubtree && !operation.isLarge) return undefined
  const { session, transient } = units.reading(principal)
  const chain = chainOfOne(operation, request.params)

  const countWith = async (document: DocumentRecord, atMost: number): Promise<number> => {
    const isFolder = session.model.facetsOf(document.type, document.facets).includes('Folderish')
    return 1 + (isFolder ? await session.stores.subtrees.countBelow(document, atMost) : 0)
  }

  const find = async (): Promise<LargeChange | undefined> => {
    const isLarge = await operation.isLarge?.({ ...request, session, most, services })
    if (isLarge !== undefined) return isLarge ? { chain, request } : undefined
    const input = namedDocuments(request.input, { chain, registry })
    const documents = await createDocumentReader(session, transient).many(input)
    let count = 0
    for (const document of documents) {
      count += await countWith(document, most - count + 1)
      if (count > most) break
    }
    if (count <= most) return undefined
    const [only, ...others] = documents
    const { pagesBy } = operation
    if (!pagesBy || !only || others.length > 0 || !(await isRemovedInPages(session, only)))
      return { chain, request }
    return inPages(
      { ...operation, pagesBy },
      { request, count: await countWith(only, Number.MAX_SAFE_INTEGER) },
    )
  }

  try {
    return await find()
  } catch (error) {
    if (isArchivoltError(error)) return undefined
    throw error
  }
}
