import { z } from 'zod'
import { component } from '../openapi/index.js'

const map = z.record(z.string(), z.unknown(), { error: 'an object is expected' }).nullish()

/** An automation call (automation.md §3). */
export const callRequest = component(
  'automationCall',
  z
    .object(
      {
        input: z
          .unknown()
          .optional()
          .describe('A reference `doc:<id or path>` or `docs:<…>,<…>`, an entity, or any JSON'),
        params: map.describe('By name; what the operation takes is told by GET'),
        context: map.describe('Variables'),
      },
      { error: 'body: an object is expected' },
    )
    .nullish(),
)

const parameter = z.object({
  name: z.string(),
  description: z.string(),
  type: z.string(),
  required: z.boolean(),
  widget: z.null(),
  order: z.int(),
  values: z.array(z.string()),
})

/** An operation or a chain (automation.md §2). */
export const operationEntity = component(
  'operation',
  z.object({
    id: z.string(),
    aliases: z.array(z.string()).optional(),
    label: z.string(),
    category: z.string(),
    requires: z.null(),
    description: z.string(),
    since: z.string().optional(),
    url: z.string(),
    signature: z.array(z.string()).describe('Types in and out, in pairs'),
    params: z.array(parameter),
  }),
)

export const registryEntity = component(
  'automationRegistry',
  z.object({
    paths: z.object({ login: z.string() }),
    codecs: z.array(z.unknown()),
    operations: z.array(operationEntity),
    chains: z.array(operationEntity),
  }),
)

export const loginEntity = component(
  'login',
  z.object({
    'entity-type': z.literal('login'),
    username: z.string(),
    isAdministrator: z.boolean(),
    groups: z.array(z.string()),
  }),
)

/** A value in an entity that tells its type: `{"entity-type": "string", "value": …}`; documents are theirs. */
export const valueEntity = component('value', z.looseObject({ 'entity-type': z.string() }))

export const runStatus = component(
  'runStatus',
  z.object({ 'entity-type': z.literal('string'), value: z.enum(['RUNNING', 'ABORTED']) }),
)

/** How far a run is. */
export const runEntity = component(
  'run',
  z.looseObject({
    'entity-type': z.literal('run'),
    workflowId: z.string(),
    chainId: z.string(),
    principal: z.string(),
    status: z.string(),
    workflowUrl: z.string().optional(),
    startedAt: z.string(),
    closedAt: z.string().optional(),
  }),
)
