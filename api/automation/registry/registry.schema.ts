import { z } from 'zod'
import { component } from '../../openapi/index.js'

const parameter = z.object({
  name: z.string(),
  description: z.string(),
  type: z.string(),
  required: z.boolean(),
  widget: z.null(),
  order: z.int(),
  values: z.array(z.string()),
})

/** An operation or a chain (reference: automation.md §2). */
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
