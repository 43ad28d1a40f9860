import { z } from 'zod'
import { KEPT_FAILURES } from '../../../core/automation/language/index.js'
import { MAX_POSITION } from '../../../core/automation/runs/index.js'
import { component } from '../../openapi/index.js'
import { count, word } from '../../parse/index.js'
import { failedItem } from '../failures.schema.js'

/** Selects failed items. */
export const itemsQuery = z.object({
  node: count.describe('Items of this loop only: its position among nodes, from 0'),
  pageSize: count.describe('Default 50, maximum 1000'),
  cursor: word.describe('nextCursor of the previous page'),
})

export const itemsEntity = component(
  'runItems',
  z.object({
    'entity-type': z.literal('runItems'),
    entries: z.array(
      z.object({
        'entity-type': z.literal('runItem'),
        node: z.int().describe('Position of the step that is the loop, among nodes, from 0'),
        ...failedItem,
      }),
    ),
    pageSize: z.int(),
    isNextPageAvailable: z.boolean(),
    nextCursor: z.string().optional(),
  }),
)

const NO_POSITION = 'expected a whole number that is not negative'
const position = z
  .int({ error: NO_POSITION })
  .min(0, { error: NO_POSITION })
  .max(MAX_POSITION, { error: `expected a whole number up to ${MAX_POSITION}` })

/** Selects the failed items to retry; absent: all. */
export const itemsRequest = component(
  'runItemsRequest',
  z
    .strictObject(
      {
        node: position.optional().describe('Position of the step that is the loop, among nodes, from 0'),
        positions: z
          .array(position, { error: 'expected a list of whole numbers' })
          .min(1, { error: 'expected at least one whole number' })
          .max(KEPT_FAILURES, { error: `expected ${KEPT_FAILURES} whole numbers at most` })
          .optional(),
      },
      {
        error: ({ code, keys }) =>
          code === 'unrecognized_keys'
            ? `body: unknown keys ${(keys as string[]).join(', ')}; node and positions are known`
            : 'body: an object is expected',
      },
    )
    .nullish(),
)
