/** Id of a schedule in the engine, and prefix of the ids of its runs. */
export const scheduleIdOf = (taskQueue: string, name: string): string => `${taskQueue}-schedule-${name}`
