import { z } from 'zod'
import { component } from '../openapi/index.js'

export const loginEntity = component(
  'login',
  z.object({
    'entity-type': z.literal('login'),
    username: z.string(),
    isAdministrator: z.boolean(),
    groups: z.array(z.string()),
  }),
)
