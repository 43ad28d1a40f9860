import { z } from 'zod'
import { component } from '../../openapi/index.js'
import { flag } from '../../parse/index.js'

const map = z.record(z.string(), z.unknown(), { error: 'an object is expected' }).nullish()

/** An automation call (reference: automation.md §3). */
export const callRequest = component(
  'automationCall',
  z
    .object(
      {
        input: z
          .unknown()
          .optional()
          .describe('A reference `doc:<id or path>` or `docs:<…>,<…>`, an entity, or any JSON'),
        params: map.describe('Parameters by name, as GET on the operation lists them'),
        context: map.describe('Variables'),
        documentProperties: z
          .string()
          .nullish()
          .describe('Schemas of the documents in the response, as in the header X-NXDocumentProperties'),
      },
      { error: 'body: an object is expected' },
    )
    .nullish(),
)

/** How an operation is called. */
export const callQuery = z.object({
  dryRun: flag.describe('Runs the call in one transaction, rolls it back, and reports what it would do'),
})

/** A value with its type: `{"entity-type": "string", "value": …}`; documents are entities of their own. */
export const valueEntity = component('value', z.looseObject({ 'entity-type': z.string() }))

export const runStatus = component(
  'runStatus',
  z.union([
    z.literal('RUNNING'),
    z.object({ 'entity-type': z.literal('string'), value: z.literal('ABORTED') }),
  ]),
)
