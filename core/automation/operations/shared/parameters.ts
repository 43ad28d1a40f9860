import type { Parameter } from '../../language/index.js'
/** Parameters that many operations have in common, with the defaults of reference: automation.md §11. */

export const SAVE = {
  type: 'boolean',
  default: true,
  description: 'Write the change at once; otherwise it waits on the document for Document.Save.',
} as const satisfies Parameter

export const FILE_XPATH = {
  type: 'string',
  default: 'file:content',
  names: 'fileProperty',
  description: 'The property that holds the file; a file is added to the end of a list.',
} as const satisfies Parameter

export const ACL_NAME = {
  type: 'string',
  default: 'local',
  description: 'The ACL to change.',
} as const satisfies Parameter

export const TARGET_ID = {
  type: 'string',
  isRequired: true,
  description: 'The operation or chain to run.',
} as const satisfies Parameter

export const RUN_PARAMETERS = {
  type: 'properties',
  description: 'Parameters of what is run.',
} as const satisfies Parameter

export const NEW_TRANSACTION = {
  newTx: {
    type: 'boolean',
    default: false,
    description: 'Commit what was done so far, and run in a transaction of its own.',
  },
  timeout: {
    type: 'integer',
    default: 60,
    description: 'Seconds that a transaction of its own may take.',
  },
  rollbackGlobalOnError: {
    type: 'boolean',
    default: true,
    description: 'Whether a failure in a transaction of its own ends the whole run.',
  },
} as const satisfies { [name: string]: Parameter }

/** What somebody has typed so far, far shorter than a body may be. */
export const searchTerm = (description: string) =>
  ({ type: 'string', description, maxLength: 1_000 }) as const satisfies Parameter

/** Whether variables of what is run flow back. */
export const isolate = <const Default extends boolean>(isDefault: Default) =>
  ({
    type: 'boolean',
    default: isDefault,
    description: 'Run on a copy of the context variables, so that no change of them flows back.',
  }) as const satisfies Parameter

/** A limit, of which 0 and less are none (nxql-search.md §1.1). */
export const positive = (limit: number | undefined): number | undefined =>
  limit !== undefined && limit > 0 ? limit : undefined
