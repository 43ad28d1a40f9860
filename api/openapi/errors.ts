import { z } from 'zod'
import { ERROR_STATUSES, type ErrorStatus } from './error-statuses.js'
import { component, json, type ResponseDoc } from './route-doc.js'

/** An error (rest-documents.md §11). */
const exception = component(
  'exception',
  z.object({
    'entity-type': z.literal('exception'),
    code: z.string().describe('The error code, for programs'),
    status: z.int(),
    message: z.string().describe('Names the field that is wrong'),
    details: z
      .array(
        z.object({
          message: z.string(),
          line: z.int().optional(),
          column: z.int().optional(),
          field: z.string().optional(),
          severity: z.literal('warning').optional().describe('A warning alone refuses nothing'),
          contribution: z.string().optional().describe('Of several contributions: point and name'),
          source: z.int().optional().describe('Of several texts: the position in the request'),
        }),
      )
      .optional(),
    stacktrace: z.string().optional().describe('In the extended mode only'),
    exception: z.looseObject({}).optional().describe('In the extended mode only'),
  }),
)

/** Values that violate the content model. */
const validationReport = component(
  'validation_report',
  z.object({
    'entity-type': z.literal('validation_report'),
    has_error: z.boolean(),
    number: z.int().min(0),
    violations: z.array(
      z.object({
        messageKey: z.string(),
        message: z.string(),
        invalid_value: z.unknown(),
        constraint: z.object({
          'entity-type': z.literal('validation_constraint'),
          name: z.string(),
          parameters: z.record(z.string(), z.string()),
        }),
        path: z.array(
          z.object({ field_name: z.string(), is_list_item: z.boolean(), index: z.int().optional() }),
        ),
      }),
    ),
  }),
)

/** Error responses, by the names of their components. */
export const ERROR_RESPONSES: { readonly [name: string]: ResponseDoc } = Object.fromEntries(
  Object.entries({ ...ERROR_STATUSES, default: 'Any other error' }).map(([status, description]) => {
    const schema = status === '422' ? z.union([validationReport, exception]) : exception
    return [`error.${status}`, json(description, schema)]
  }),
)

/** References to the responses with some statuses, and to that of any other error. */
export const errorResponses = (statuses: readonly ErrorStatus[]): { [status: string]: { $ref: string } } =>
  Object.fromEntries(
    [...statuses, 'default'].map((status) => [status, { $ref: `#/components/responses/error.${status}` }]),
  )
