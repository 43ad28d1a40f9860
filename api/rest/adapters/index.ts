import type { Adapter } from '../adapter.js'
import type { RestServices } from '../services.js'
import { aclAdapter } from './acl.js'

export const createAdapters = (services: RestServices): readonly Adapter[] => [aclAdapter(services)]
