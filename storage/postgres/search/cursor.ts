/** Name of the cursor of the outbox that belongs to an index. */
export const cursorOf = (index: string): string => `search ${index}`
