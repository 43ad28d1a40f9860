const PREFIX = 'conversion-'

/** Id of a conversion's workflow. */
export const workflowIdOf = (id: string): string => `${PREFIX}${id}`

/** Id of a conversion by that of its workflow. */
export const conversionIdOf = (workflowId: string): string => workflowId.slice(PREFIX.length)
