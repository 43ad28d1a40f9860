import {
  defineOperation,
  type Operation,
  type OperationContext,
  type Value,
  VOID,
} from '../automation/index.js'
import { fail } from '../errors/index.js'
import { isolate, TARGET_ID } from './shared-parameters.js'
import { withoutRecords } from './variables.js'

type List = Extract<Value, { type: 'documents' }>

/** More is a target that makes what it is to walk through. */
const MOST_PAGES = 100_000

const isSame = (one: List, other: List): boolean =>
  one.ids.length === other.ids.length && one.ids.every((id, position) => id === other.ids[position])

/** A page of the list that a page came from; without documents behind the last one. */
const pageOf = async (context: OperationContext, { source }: List, index: number): Promise<List> => {
  const { operation, parameters } = source ?? { operation: '', parameters: {} }
  const page = await context.run({
    id: operation,
    input: VOID,
    isolate: true,
    parameters: { ...parameters, currentPageIndex: index },
  })
  return page.type === 'documents' ? page : { type: 'documents', ids: [] }
}

/**
 * Walks from the first page to the last. A page whose documents have changed the list, e.g. by leaving it, is
 * read again instead of the next one, which by then begins further on.
 */
const eachPage = async (
  context: OperationContext,
  first: List,
  run: (page: Value) => Promise<unknown>,
): Promise<void> => {
  let page = first
  let index = first.page?.pageIndex ?? 0
  for (let count = 0; page.ids.length > 0; count++) {
    if (count >= MOST_PAGES)
      throw fail('operationFailed', `More than ${MOST_PAGES} pages were walked through`)
    await run(withoutRecords(page))
    const again = await pageOf(context, first, index)
    const isOther = again.page?.resultsCount !== page.page?.resultsCount && !isSame(again, page)
    if (!isOther) index += 1
    page = isOther ? again : await pageOf(context, first, index)
  }
}

const runOnProvider = defineOperation({
  id: 'RunOperationOnProvider',
  aliases: ['Context.RunOperationOnProvider'],
  label: 'Run For Each Page',
  category: 'Execution Flow',
  description:
    'Runs an operation or chain on the input page of a query or page provider, and on each page behind it.',
  callsTarget: 'pages',
  params: { id: TARGET_ID, isolate: isolate(true) },
  methods: ({ method }) => [
    method('documents', 'void', async ({ context, params: { id, isolate } }) => {
      const { input } = context
      const run = (page: Value) => context.run({ id, input: page, isolate })
      if (input.type === 'documents' && input.source && input.page) await eachPage(context, input, run)
      else await run(withoutRecords(input))
      return VOID
    }),
  ],
})

export const flowProviderOperations: readonly Operation[] = [runOnProvider]
