/** Id of a schedule in the engine, and what the ids of its runs begin with. */
export const scheduleIdOf = (taskQueue: string, name: string): string => `${taskQueue}-schedule-${name}`
