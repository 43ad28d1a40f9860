import { z } from 'zod'

export const webhooksEntity = z.object({
  entries: z.array(
    z.object({ id: z.string(), url: z.string(), events: z.array(z.string()), isSigned: z.boolean() }),
  ),
})

const delivery = z.object({
  id: z.string(),
  webhook: z.string(),
  state: z.string(),
  event: z.string(),
  documentId: z.string().optional(),
  startedAt: z.string(),
  failure: z.string().optional(),
  attempts: z.number().optional(),
  nextAttemptAt: z.string().optional(),
})

export type DeliveryEntity = z.output<typeof delivery>

export const deliveriesEntity = z.object({ entries: z.array(delivery) })

export const redeliveryEntity = z.object({ ids: z.array(z.string()) })
