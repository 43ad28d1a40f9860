/** The type of the workflows of bulk commands. */
export const BULK = 'bulk'

/** Workflows that run a chain; the second is one of a schedule, which becomes the first when its chain begins. */
export const CHAIN_TYPES: readonly string[] = ['chain', 'scheduledChain']
