import {
  defineOperation,
  type Operation,
  type OperationContext,
  type Value,
  VOID,
} from '../../language/index.js'
import { callOfPage, firstPageOf, isListPage, type ListPage, nextPage, readPage } from '../../loops/index.js'
import { withoutRecords } from '../shared/context-variables.js'
import { isolate, TARGET_ID } from '../shared/parameters.js'

/** From the first page to the last. */
const eachPage = async (
  context: OperationContext,
  first: ListPage,
  run: (page: Value) => Promise<unknown>,
): Promise<void> => {
  const read = async (index: number) => readPage(await context.run(callOfPage(first, index)))
  let at = firstPageOf(first)
  for (let pagesRead = 1; at.page.ids.length > 0; pagesRead++) {
    await run(withoutRecords(at.page))
    at = await nextPage(at, { pagesRead, read })
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
      if (isListPage(input)) await eachPage(context, input, run)
      else await run(withoutRecords(input))
      return VOID
    }),
  ],
})

export const flowProviderOperations: readonly Operation[] = [runOnProvider]
